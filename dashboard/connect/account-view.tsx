import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Progress } from '../components/feedback.tsx'
import { ForeignText, isolated } from '../components/foreign-text.tsx'
import { Day } from '../components/time.tsx'
import { announce } from '../shell/announcer.tsx'
import { useLoad } from '../shell/use-load.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { CodeForm } from './device-view.tsx'
import { Card, Heading } from './heading.tsx'
import { NameCard } from './name-card.tsx'
import type { GameWithAccess, PageService, User } from './service.ts'
import { type AccountProps, isUnnamed } from './sign-in.ts'
import { texts } from './texts.ts'
import { Trouble } from './trouble.tsx'
import { WalletsCard } from './wallets-card.tsx'

/** The view of a user who is signed in: name, wallets and games. */
export function AccountView({
  onCode,
  onSignOut,
  ...account
}: AccountProps & { onCode: (code: string) => void; onSignOut: () => void }) {
  const { username } = account.signedIn.user
  const own = texts.account
  return (
    <div class="stack">
      <Heading title={isUnnamed(username) ? own.newTitle : own.title(isolated(username))}>
        {own.lead}
      </Heading>
      <NameCard {...account} />
      <Card title={texts.device.enterTitle}>
        <p class="soft">{texts.device.enterLead}</p>
        <CodeForm onCode={onCode} />
      </Card>
      <WalletsCard {...account} />
      <GamesCard service={account.service} user={account.signedIn.user} />
      <SignOutCard service={account.service} onSignOut={onSignOut} />
    </div>
  )
}

const nameOf = ({ name }: GameWithAccess): string => name ?? texts.games.noName

/** The games that have access. The access of each can be ended alone. */
function GamesCard({ service, user }: { service: PageService; user: User }) {
  // A wallet that is removed ends the access that it has given.
  const wallets = user.wallets.length
  const { data: games, error, reload } = useLoad(() => service.games(), [service, wallets])
  const [ending, setEnding] = useState<GameWithAccess>()
  return (
    <Card title={texts.games.title}>
      <Trouble error={error} />
      {!games && !error && <Progress label={texts.loading} />}
      {games?.length === 0 && <p class="soft">{texts.games.none}</p>}
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
                  {texts.games.until} <Day time={game.until} />
                </p>
              </div>
              <Button onClick={() => setEnding(game)}>
                {texts.games.end}
                <span class="visually-hidden"> {nameOf(game)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {ending && (
        <ConfirmDialog
          title={texts.games.endTitle(isolated(nameOf(ending)))}
          action={texts.games.end}
          onClose={() => setEnding(undefined)}
          onConfirm={async () => {
            await service.endAccess(ending.productId)
            setEnding(undefined)
            announce(texts.games.ended)
            reload()
          }}
        >
          <p>{texts.games.endLead}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Ends everything that the user's wallets have begun. */
function SignOutCard({ service, onSignOut }: { service: PageService; onSignOut: () => void }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Card title={texts.signOut.title}>
      <p class="soft">{texts.signOut.lead}</p>
      <div class="actions">
        <Button kind="danger" onClick={() => setIsAsking(true)}>
          {texts.signOut.button}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.signOut.dialogTitle}
          action={texts.signOut.button}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await service.signOut()
            onSignOut()
          }}
        >
          <p>{texts.signOut.lead}</p>
          <p>{texts.signOut.delay}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
