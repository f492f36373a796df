import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { ForeignText, isolated } from '../components/foreign-text.tsx'
import { Progress } from '../components/progress.tsx'
import { Day } from '../components/time.tsx'
import { announce } from '../shell/announcer.tsx'
import { useLoad } from '../shell/use-load.ts'
import { Card } from './card.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import type { GameWithAccess, PageService, User } from './service.ts'
import { texts } from './texts.ts'
import { Trouble } from './trouble.tsx'

const own = texts.games

const nameOf = ({ name }: GameWithAccess): string => name ?? own.noName

/** The games that have access. The access of each can be ended alone. */
export function GamesCard({ service, user }: { service: PageService; user: User }) {
  // A wallet that is removed ends the access that it has given.
  const wallets = user.wallets.length
  const { data: games, error, reload } = useLoad(() => service.games(), [service, wallets])
  const [ending, setEnding] = useState<GameWithAccess>()
  return (
    <Card title={own.title}>
      <Trouble error={error} />
      {!games && !error && <Progress label={texts.loading} />}
      {games?.length === 0 && <p class="soft">{own.none}</p>}
      {games && games.length > 0 && (
        <ul class="connect-list">
          {games.map((game) => (
            <li key={game.productId} class="connect-row">
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
                  {own.until} <Day time={game.until} />
                </p>
              </div>
              <Button onClick={() => setEnding(game)}>
                {own.end}
                <span class="visually-hidden"> {nameOf(game)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {ending && (
        <ConfirmDialog
          title={own.endTitle(isolated(nameOf(ending)))}
          action={own.end}
          onClose={() => setEnding(undefined)}
          onConfirm={async () => {
            await service.endAccess(ending.productId)
            setEnding(undefined)
            announce(own.ended)
            reload()
          }}
        >
          <p>{own.endLead}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
