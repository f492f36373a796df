/** The version of the contract (D33): the major number is in the path, additions raise the minor number. */
export const apiVersion = '1.0.0'

export const apiTitle = 'Player NFTs'

/** An overview of the API in Markdown. */
export const apiDescription = `Connects games, called products, with the NFTs their players hold.

A game registers once and gets an API key. With it the game allowlists the NFTs it has a use for. A player who is signed in on the platform gets a player token and hands it to the game, and the game learns who the player is and which of its NFTs are in the player's wallets, with their metadata.

## In four steps

1. \`POST /product\` registers the game and shows its API key, once.
2. \`POST /product/tokens\` allowlists NFTs of a contract.
3. \`GET /player/token\`, called by the platform with the user's JWT, mints a player token.
4. \`GET /player/details\` and \`GET /player/tokens\` take that token and tell about the player.

## Credentials

Product operations take the API key in the header \`X-Api-Key\`: keep it on a server, never in a game that is shipped. Minting a player token takes the user JWT of the platform in \`Authorization: Bearer\`. Operations about a player take the player token besides, as the query parameter \`playerToken\` or, better, in the header \`X-Player-Token\`, which keeps it out of URLs. One of the two is required; if both are sent, they must be equal.

A user JWT is signed with a key of the key set and carries \`iss\`, \`aud\`, \`sub\` (the user id, a decimal integer), \`username\`, \`wallets\` (up to 20 addresses), \`iat\` and \`exp\`.

## Answers

A success is 200 with \`{"data": …, "success": true}\`. The key set and this document come without that envelope. Unknown fields and parameters of a request are ignored; \`null\` or \`""\` in an optional field means that it is absent; a body without Content-Type is taken for JSON.

Addresses are answered in lower case and token identifiers as decimal text. Read neither token identifiers nor balances as floating-point numbers.

## Problems

A failure is problem details (RFC 9457, \`application/problem+json\`) with \`"success": false\`. Programs switch on \`code\`; \`detail\` is a sentence for a person; \`errors\` lists every bad field at once. \`type\` points to the description of the problem in this document. Credentials are judged first: a request with a bad key and a bad body gets 401. A 503 says in \`Retry-After\` when to try again. Take a code you do not know by its status.

API Gateway answers some requests by itself, as \`application/json\` with only a \`message\`: 404 for an unknown path or method, 413 for a body past 6 MB, 429 when requests are throttled, 431 for a request line and headers past 10,240 bytes, 500 and 503 when a function fails or runs out of time. Look for a \`code\` only under \`application/problem+json\`.

## Long lists

An answer that does not hold everything carries \`nextCursor\`. Send it as \`cursor\`, with the same other parameters, to read on; only a missing \`nextCursor\` means the end. Cursors are opaque.

## Caching and browsers

Nothing may be cached (\`Cache-Control: no-store\`) but the public keys and this document, for 5 minutes. All answers carry \`X-Content-Type-Options: nosniff\`. Pages of any origin may call every operation, without cookies, with the headers \`Content-Type\`, \`X-Api-Key\`, \`Authorization\` and \`X-Player-Token\`, and may read \`Retry-After\` and \`WWW-Authenticate\`.

## Versions

The version is part of the path. Under \`/api/public/v1\` there are only additions: new operations, optional parameters, fields of answers, codes. Be ready for fields you do not know.`

/** The groups of operations, in the order of the document. */
export const tags = {
  Product: 'Registering a game. Called once by its developer, never from inside the game.',
  Allowlist:
    'The contracts and NFTs a product works with. Called by its developer or server, never from inside the game: the API key must not be shipped.',
  Player: 'What a game asks about a player who has handed it a player token.',
  Keys: 'The public keys that user JWTs and player tokens are verified with.',
  Document: 'This document.',
} as const
