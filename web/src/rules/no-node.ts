// Stands in for Node.js modules that MicroPython never reaches in a browser.
export {}
