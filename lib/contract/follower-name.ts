/** The function that follows chains (D66). It is no operation of the API. */
export const followerName = 'follow-chains'
