"""The lab: campaigns played on any number of workers, stored in files, reported with error bars."""
