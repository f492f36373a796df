import { isolated } from '../components/foreign-text.tsx'
import type { AccountProps } from './account-props.ts'
import { Card } from './card.tsx'
import { CodeForm } from './code-form.tsx'
import { GamesCard } from './games-card.tsx'
import { Heading } from './heading.tsx'
import { NameCard } from './name-card.tsx'
import { SignOutCard } from './sign-out-card.tsx'
import { texts } from './texts.ts'
import { isUnnamed } from './username.ts'
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
