import * as v from 'valibot'
import { objectOf } from '../../lib/settings/object-form.ts'
import type { SettingTable } from '../../lib/settings/setting.ts'
import { webhookSecretNames } from './forms.ts'

/** The settings of webhooks (D121). */
export const webhookSettings = {
  webhooks: {
    meaning:
      'sends the events of products to their servers: `{}`, or with `secrets`, the generations of the secret from which those of webhooks follow (`["1"]`). New secrets follow from the first, and all of them sign. A name creates a secret of the stack; the complete ARN of a secret takes a retained one back; needs `followedChains` ([webhooks](webhooks.md))',
    form: objectOf(
      { secrets: v.optional(webhookSecretNames, ['1']) },
      'must be an object with "secrets", which is optional',
    ),
    optional: true,
  },
} as const satisfies SettingTable
