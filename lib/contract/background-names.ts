/** The function that delivers events to webhooks (D122). It is no operation of the API. */
export const delivererName = 'deliver-webhooks'

/** The event with which its schedule invokes the function. Its other events are messages of the queue. */
export const sweepOfWebhooks = { kind: 'sweep' } as const

/** The function that follows chains (D152). It is no operation of the API. */
export const followerName = 'follow-chains'
