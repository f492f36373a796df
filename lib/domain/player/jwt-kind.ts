/**
 * The kind of token that a text claims to be by its header `typ`, which is not verified: only for
 * messages about a token in the wrong place (D23). `undefined` for a text that is not a JWT.
 */
export function jwtKind(text: string): 'player_token' | 'other_jwt' | undefined {
  const [, header = ''] = /^([\w-]+)\.[\w-]+\.[\w-]*$/.exec(text) ?? []
  try {
    const { typ, alg } = JSON.parse(Buffer.from(header, 'base64url').toString())
    if (typeof alg !== 'string') return undefined
    return /^(application\/)?player\+jwt$/i.test(String(typ)) ? 'player_token' : 'other_jwt'
  } catch {
    return undefined
  }
}
