import type { ListedKey } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Fact } from '../../components/fact.tsx'
import { Day, UtcDay } from '../../components/time.tsx'

interface KeyActions {
  rotate(key: ListedKey): void
  revoke(key: ListedKey): void
}

/** A list of keys, with their actions if they still work. */
export const KeyList = ({
  keys,
  ownKeyId,
  actions,
}: {
  keys: readonly ListedKey[]
  ownKeyId?: string | undefined
  actions?: KeyActions
}) => (
  <ul class="card key-list">
    {keys.map((key) => (
      <li key={key.keyId} class="key-row">
        <div class="key-name">
          <bdi class="foreign strong">{key.label}</bdi>
          {key.keyId === ownKeyId && <span class="badge is-accent">signed in</span>}
          <span class="badge">{key.scope === 'MANAGE' ? 'Manage' : 'Read'}</span>
          <p class="soft">
            <code>…{key.last4}</code>, created <Day time={key.createdAt} />
          </p>
        </div>
        <dl class="key-facts columns">
          <Fact name="Last used">
            {key.lastUsedOn === null ? 'Never' : <UtcDay day={key.lastUsedOn} />}
          </Fact>
          {key.endedAt === null ? (
            <Fact name="Expires">
              {key.expiresAt === null ? 'Never' : <Day time={key.expiresAt} />}
            </Fact>
          ) : (
            <Fact name={endings[key.endReason ?? 'deleted']}>
              <Day time={key.endedAt} />
            </Fact>
          )}
        </dl>
        {actions && (
          <div class="actions">
            <Button onClick={() => actions.rotate(key)} aria-label={`Rotate ${key.label}`}>
              Rotate
            </Button>
            <Button
              kind="danger"
              onClick={() => actions.revoke(key)}
              aria-label={`Revoke ${key.label}`}
            >
              Revoke
            </Button>
          </div>
        )}
      </li>
    ))}
  </ul>
)

const endings = { deleted: 'Revoked', expired: 'Expired', rotated: 'Replaced' } as const

/**
 * Returns the entry of an API key in the list of its product. A key that begins with `pnk_` contains its identity. The key
 * of a registration is a UUID, which the list shows only with its last four characters: `undefined` if several keys have
 * the same ones.
 */
export function entryOfKey(keys: readonly ListedKey[], apiKey: string): ListedKey | undefined {
  const [, keyId] = /^pnk_([0-9A-Za-z]{12})_/.exec(apiKey) ?? []
  if (keyId !== undefined) return keys.find((key) => key.keyId === keyId)
  const last4 = apiKey.slice(-4).toLowerCase()
  const found = keys.filter(
    (key) => key.last4 === last4 && key.endedAt === null && key.scope === 'MANAGE',
  )
  return found.length === 1 ? found[0] : undefined
}
