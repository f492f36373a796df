/**
 * All time limits of a request and of the background worker. Each limit ends before the limit of the
 * code that waits for it. Times run from the start of the request (D25, D30, D31):
 *
 *     0 s                                         20 s    22   23   24   25               29 s
 *     |--------------------------------------------|------|----|----|----|------------------|
 *                                                  |      |    |    |    |                  |
 *     an operation starts its last page or batch --+      |    |    |    |                  |
 *     the indexer calls of a refresh end -----------------+    |    |    |                  |
 *     counting of pending NFTs ends ---------------------------+    |    |                  |
 *     deadline: the operation returns or fails on its own ----------+    |                  |
 *     the request is answered with 503, and no call begins any more -----+                  |
 *     Lambda ends the function -------------------------------------------------------------+
 *
 *     one indexer call, with its key and all attempts: 8 s, and never past the deadline
 *     a page of owners, which is written while it arrives: 40 s, and never past the deadline
 *     one attempt of an AWS call: 3 s
 *     fetching the key set of a login: 3 s
 *     asking a smart account, with the key and all attempts: 5 s
 *
 * The background worker, from the start of its invocation:
 *
 *     0 s                                          40 s            50 s              59 s  60 s
 *     |---------------------------------------------|---------------|------------------|----|
 *                                                   |               |                  |    |
 *     the worker starts its last step --------------+               |                  |    |
 *     the indexer calls of that step end ---------------------------+                  |    |
 *     the message fails, and no call begins any more ----------------------------------+    |
 *     Lambda ends the function -------------------------------------------------------------+
 *
 * The worker continues a refresh 5 s after the message is sent. By then the request has stored its report.
 */

/** The time by which a result is needed, in milliseconds since 1970. */
export type Deadline = number

/** The timeout of the function of an operation, in seconds: Lambda ends the function then (D30). */
export const functionTimeoutSeconds = 29

/** The longest time until a request is answered, whatever it waits for, in milliseconds (D30). */
export const requestMilliseconds = 25_000

/** The time until the deadline of an operation, in milliseconds: 1 s is left for the answer itself. */
export const operationMilliseconds = requestMilliseconds - 1_000

/** The time before the deadline in which an operation starts no page or batch, in milliseconds (D25, D31). */
export const lastStartMilliseconds = 4_000

/** The time before the deadline in which a refresh does not call the indexer, in milliseconds. */
export const refreshReserveMilliseconds = 2_000

/** The time before the deadline in which pending NFTs are not counted, in milliseconds. */
export const countReserveMilliseconds = 1_000

/** The longest time of one indexer call, with its key and all attempts, in milliseconds (D30). */
export const indexerCallMilliseconds = 8_000

/** The longest time of a call for a page of owners, whose answer is read as fast as it is written, in milliseconds. */
export const ownersPageMilliseconds = 40_000

/**
 * The longest time of an attempt of an AWS call to connect, to respond, and between two parts of its response, in
 * milliseconds.
 */
export const awsAttemptMilliseconds = 3_000

/** The longest time of fetching the key set of a login, from the connection to the last byte, in milliseconds (D40). */
export const keySetMilliseconds = 3_000

/** The longest time of asking a smart account whether it accepts a signature, with the key and all attempts, in milliseconds. */
export const accountCallMilliseconds = 5_000

/** The timeout of the background worker, in seconds: Lambda ends the function then. */
export const workerTimeoutSeconds = 60

/** The time before the timeout in which the worker starts no step, in milliseconds. */
export const workerReserveMilliseconds = 20_000

/** The time before the timeout at which a message that is still in work fails, in milliseconds (D38). */
export const workerAnswerMilliseconds = 1_000

/** The longest time of the indexer calls of a worker's last step, in milliseconds. */
export const lastStepMilliseconds = 10_000

/** The time between two invocations of the follower, in milliseconds: each follows until the next begins (D152). */
export const followMilliseconds = 60_000

/** The timeout of the follower, in seconds: its last steps end before it. */
export const followerTimeoutSeconds = 75

/** The timeout of the function that delivers to webhooks, in seconds: Lambda ends the function then (D122). */
export const delivererTimeoutSeconds = 60

/** The time for which one invocation of it begins attempts, in milliseconds. The last one takes up to 15 s more. */
export const deliverMilliseconds = 20_000

/** The delay of the message with which the worker continues a refresh, in seconds: by then the request has stored its report. */
export const handOverSeconds = 5

/** The largest difference between the clocks of two containers, in milliseconds. */
export const maxClockDifference = 5_000
