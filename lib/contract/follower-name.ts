/** The function that follows chains (D152). It is no operation of the API. */
export const followerName = 'follow-chains'
