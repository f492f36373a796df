/** Whether a user has not chosen a name: the service then writes the short form of an address (D98). */
export const isUnnamed = (username: string): boolean => /^0x[\da-f]{4}…[\da-f]{4}$/i.test(username)
