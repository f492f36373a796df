import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { problems } from '../../lib/domain/problems.ts'
import type { SignedMessage } from '../../simulation/page-calls.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { changedTexts } from '../support/sign-in/changed-texts.ts'
import { signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startOwnService({}, afterAll)
const { sign, signIn, refresh, askForToken, newGame } = signInCalls(service)

/** .ci/soak sends 5,000 of each kind. */
const options = { numRuns: Number(process.env['GENERATED_SIGN_INS'] ?? 100) }

const known: readonly string[] = Object.keys(problems)

/** Expects a refusal that says why, and no failure of the service. */
function expectRefused({ status, json }: Awaited<ReturnType<typeof signIn>>): void {
  expect([status, known.includes(json.code)]).toEqual([
    expect.toSatisfy((refused: number) => refused >= 400 && refused < 500),
    true,
  ])
}

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), maxLength: 140 })
const nonsense = fc.oneof(
  fc.string(),
  fc.jsonValue(),
  hex.map((digits) => `0x${digits}`),
)

/** The same signature with another digit, which is another signature. */
const otherDigit = (signature: string) =>
  fc
    .record({ at: fc.integer({ min: 2, max: 129 }), digit: fc.constantFrom(...'0123456789abcdef') })
    .filter(({ at, digit }) => signature[at] !== digit)
    .map(({ at, digit }) => signature.slice(0, at) + digit + signature.slice(at + 1))

test('D110: no changed proof is accepted, or makes the service fail, and the proof itself is accepted', async () => {
  const [{ productId }, account] = [await newGame(), newAccount()]
  const proof = await sign(account, { productId })
  const changed: fc.Arbitrary<object> = fc.oneof(
    changedTexts(proof.message).map((message): SignedMessage => ({ ...proof, message })),
    changedTexts(proof.message).map((message) => ({ message, signature: account.sign(message) })),
    otherDigit(proof.signature).map((signature) => ({ ...proof, signature })),
    nonsense.map((signature) => ({ ...proof, signature })),
    nonsense.map((message) => ({ ...proof, message })),
  )
  await fc.assert(
    fc.asyncProperty(changed, async (body) => {
      expectRefused(await signIn({ ...body, productId }))
    }),
    options,
  )
  expect((await signIn({ ...proof, productId })).status).toBe(200)
})

test('D110: no changed refresh token is accepted, and the token itself is', async () => {
  const [{ productId }, account] = [await newGame(), newAccount()]
  const signedIn = await signIn({ ...(await sign(account, { productId })), productId })
  const { refreshToken } = signedIn.json.data
  await fc.assert(
    fc.asyncProperty(fc.oneof(changedTexts(refreshToken), fc.string()), async (text) => {
      expectRefused(await refresh(productId, text))
      expectRefused(await askForToken({ client_id: productId, grant_type: text }))
    }),
    options,
  )
  expect((await refresh(productId, refreshToken)).status).toBe(200)
})
