import * as v from 'valibot'
import { objectOf } from '../../lib/settings/object-form.ts'
import type { SettingTable } from '../../lib/settings/setting.ts'
import { secretName } from './forms.ts'

const pageMessage =
  'must be a host as browsers write it, such as "play.studio.example", without a scheme or a path'

/** A host, with its port if that is not 443. */
const host = v.pipe(
  v.string(pageMessage),
  v.check((text) => URL.parse(`https://${text}`)?.host === text, pageMessage),
)

/** The settings of signing in with wallets (D113). */
export const signInSettings = {
  walletSignIn: {
    meaning:
      'lets players sign in with their wallets: `{}`, or with `page`, the host at which players see the page (by default that of `edge.domain`), and `secret`, the name of the secret of its messages and tokens (`1`; another name makes a new one, and every player signs in again); needs `edge`, and `assigned` as `userIds` ([sign-in with wallets](wallet-sign-in.md))',
    form: objectOf(
      { page: v.optional(host), secret: v.optional(secretName, '1') },
      'must be an object with "page" and "secret", both of them optional',
    ),
    optional: true,
  },
} as const satisfies SettingTable
