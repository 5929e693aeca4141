"""The lab: campaigns played on any number of workers, kept in files, reported with error bars."""
