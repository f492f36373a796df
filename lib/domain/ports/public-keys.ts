/** The public keys of the deployment (D32). */
export interface PublicKeys {
  /** The DER SubjectPublicKeyInfo of the key that currently signs user JWTs. */
  userJwtKey(): Promise<Uint8Array>
  /**
   * Every accepted key of both kinds, as RFC 7517 JSON Web Keys. `leaveOut` is called for each login whose keys cannot be
   * read, and are left out (D137).
   */
  keySet(leaveOut?: () => void): Promise<PublicJwk[]>
}

/** A public key as a JSON Web Key (RFC 7517); `kid` is its thumbprint (RFC 7638). */
export interface PublicJwk {
  kty: string
  kid: string
  alg: string
  use: 'sig'
  [member: string]: unknown
}
