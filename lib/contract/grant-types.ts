/** The ways in which a game can ask for a player token (RFC 6749, section 6; RFC 8628, section 3.4). */
export const grantTypes = ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] as const
