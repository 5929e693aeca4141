// The address of what a view shows: for whoever copies it, reloads, or comes back.

/** Write it into the address bar; a view that was left while it was opening must not take it back. */
export function showAddress(root, address) {
  if (root.isConnected) history.replaceState(null, "", address);
}
