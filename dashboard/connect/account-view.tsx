import { useState } from 'preact/hooks'
import type { PlayerNfts } from '../../clients/typescript/src/client.ts'
import type { GameWithAccess, SignedInUser } from '../../clients/typescript/src/types.ts'
import { Button } from '../components/button.tsx'
import { Progress } from '../components/feedback.tsx'
import { ForeignText, isolated } from '../components/foreign-text.tsx'
import { Day } from '../components/time.tsx'
import { announce } from '../shell/announcer.tsx'
import { useLoad } from '../shell/use-load.ts'
import { CodeForm } from './device-view.tsx'
import { NameCard } from './name-card.tsx'
import { Card, ConfirmDialog, Heading, Trouble } from './parts.tsx'
import { type AccountProps, isUnnamed } from './sign-in.ts'
import { WalletsCard } from './wallets-card.tsx'

/** The view of a user who is signed in: name, wallets and games. */
export function AccountView({
  onCode,
  onSignOut,
  ...account
}: AccountProps & { onCode: (code: string) => void; onSignOut: () => void }) {
  const { username } = account.signedIn.user
  return (
    <div class="stack">
      <Heading title={isUnnamed(username) ? 'You are signed in' : `Hello, ${isolated(username)}`}>
        In every game, all your wallets are one player.
      </Heading>
      <NameCard {...account} />
      <Card title="Connect a game">
        <p class="soft">
          Does a game show a code, for example on a TV or a console? Enter it here.
        </p>
        <CodeForm onCode={onCode} />
      </Card>
      <WalletsCard {...account} />
      <GamesCard client={account.client} user={account.signedIn.user} />
      <SignOutCard client={account.client} onSignOut={onSignOut} />
    </div>
  )
}

const nameOf = ({ name }: GameWithAccess): string => name ?? 'A game that no longer exists'

/** The games that have access. The access of each can be ended alone. */
function GamesCard({ client, user }: { client: PlayerNfts; user: SignedInUser }) {
  // A wallet that is removed ends the access that it has given.
  const wallets = user.wallets.length
  const { data: games, error, reload } = useLoad(() => client.getGames(), [client, wallets])
  const [ending, setEnding] = useState<GameWithAccess>()
  return (
    <Card title="Games with access">
      <Trouble error={error} />
      {!games && !error && <Progress label="Loading…" />}
      {games?.length === 0 && <p class="soft">No game has access.</p>}
      {games && games.length > 0 && (
        <ul class="connect-list stack is-close">
          {games.map((game) => (
            <li key={game.productId} class="connect-row spread">
              <div>
                <strong>
                  <ForeignText text={nameOf(game)} max={80} />
                </strong>
                <p class="soft">
                  {game.companyName && (
                    <>
                      <ForeignText text={game.companyName} max={80} />,{' '}
                    </>
                  )}
                  until <Day time={game.until} />
                </p>
              </div>
              <Button onClick={() => setEnding(game)}>
                End access
                <span class="visually-hidden"> {nameOf(game)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {ending && (
        <ConfirmDialog
          title={`End the access of ${isolated(nameOf(ending))}?`}
          action="End access"
          onClose={() => setEnding(undefined)}
          onConfirm={async () => {
            await client.endAccess({ productId: ending.productId })
            setEnding(undefined)
            announce('The access is ended.')
            reload()
          }}
        >
          <p>
            The game cannot sign you in any more. What it already has lasts for up to 24 hours. To
            end that too, sign out everywhere.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Ends everything that the user's wallets have begun. */
function SignOutCard({ client, onSignOut }: { client: PlayerNfts; onSignOut: () => void }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Card title="Sign out everywhere">
      <p class="soft">Ends your sign-in here and the access of all games, on every device.</p>
      <div class="actions">
        <Button kind="danger" onClick={() => setIsAsking(true)}>
          Sign out everywhere
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere?"
          action="Sign out everywhere"
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await client.signOut()
            onSignOut()
          }}
        >
          <p>Ends your sign-in here and the access of all games, on every device.</p>
          <p>
            This service refuses the games at once. Game servers that verify players themselves see
            nothing of it for up to 24 hours.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
