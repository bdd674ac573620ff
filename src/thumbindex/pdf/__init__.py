"""Reading a PDF: text, boxes, labels, bookmarks, links, in a worker process with limits."""
