/** How long the function of an operation may run before Lambda ends it, in seconds (D30). */
export const functionTimeoutSeconds = 29

/** How long the background worker may run before Lambda ends it, in seconds. */
export const workerTimeoutSeconds = 60
