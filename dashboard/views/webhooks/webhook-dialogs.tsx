import { useId, useState } from 'preact/hooks'
import type {
  UpdateWebhookParams,
  Webhook,
  WebhookWithSecret,
} from '../../../clients/typescript/src/types.ts'
import { Notice } from '../../components/feedback.tsx'
import { CheckField, TextField } from '../../components/field.tsx'
import { FormDialog, useForm } from '../../components/form.tsx'
import { useClient } from '../../shell/shell-context.ts'
import { eventTypes } from './webhook-words.ts'

export interface ActionDialogProps {
  webhook: Webhook
  onSecret: (webhook: WebhookWithSecret) => void
  /** What was done, and the webhook after it. */
  onDone: (what: string, webhook: Webhook) => void
  onDeleted: (webhook: Webhook) => void
  onClose: () => void
}

/**
 * Creates a webhook, or changes one: then only what is different is sent. Its texts are no draft, because a URL can contain a
 * secret.
 */
export function WebhookDialog({
  webhook,
  onSecret,
  onDone,
  onClose,
}: Omit<ActionDialogProps, 'webhook' | 'onDeleted'> & { webhook?: Webhook }) {
  const client = useClient()
  const [fields, setFields] = useState<WebhookFields>(webhook ?? newFields)
  const changes = webhook && changesOf(webhook, fields)
  const save = useForm(async () => {
    if (!webhook) return onSecret(await client.createWebhook(webhookOf(fields)))
    const { webhookId } = webhook
    onDone('Saved.', changes ? await client.updateWebhook({ webhookId, ...changes }) : webhook)
  }, webhookFaults(fields))
  return (
    <FormDialog
      title={webhook ? 'Edit a webhook' : 'Create a webhook'}
      action={webhook ? 'Save' : 'Create'}
      form={save}
      onClose={onClose}
    >
      <TextField
        label="URL"
        hint={
          webhook
            ? 'Another URL must be verified again, with the same secret.'
            : 'Where your server gets the events. It begins with https://.'
        }
        value={fields.url}
        onValue={(url) => setFields({ ...fields, url })}
        error={save.faultOf('url')}
        inputMode="url"
        spellcheck={false}
      />
      <EventTypeField
        chosen={fields.events}
        onChosen={(events) => setFields({ ...fields, events })}
        error={save.faultOf('events')}
      />
      <TextField
        label="Description"
        hint="What it is for, for example “Game server in Europe”."
        isOptional
        value={fields.description}
        onValue={(description) => setFields({ ...fields, description })}
        error={save.faultOf('description')}
      />
      {changes?.url !== undefined && webhook?.state !== 'unverified' && (
        <Notice kind="warning">
          <p>
            The webhook gets no events until the server at the new URL has answered a test. What
            happens until then is not sent.
          </p>
        </Notice>
      )}
    </FormDialog>
  )
}

/** The choice of the types of events. Types of later versions stay, if the webhook has them. */
function EventTypeField({
  chosen,
  onChosen,
  error,
}: {
  chosen: readonly string[]
  onChosen: (types: string[]) => void
  error: string | undefined
}) {
  const id = useId()
  const meanings = new Map<string, string>(Object.entries(eventTypes))
  const types = [...new Set([...meanings.keys(), ...chosen])]
  const toggle = (type: string) =>
    onChosen(types.filter((each) => chosen.includes(each) !== (each === type)))
  return (
    <fieldset class="stack is-close" aria-describedby={error ? id : undefined}>
      <legend class="strong">Events</legend>
      {types.map((type) => (
        <CheckField key={type} isChecked={chosen.includes(type)} onChecked={() => toggle(type)}>
          <code>{type}</code>
          <span class="hint"> {meanings.get(type)}</span>
        </CheckField>
      ))}
      {error && (
        <p class="field-error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

type EventTypes = NonNullable<UpdateWebhookParams['events']>

/** A new webhook gets every type. */
export const newFields = {
  url: '',
  events: Object.keys(eventTypes) as readonly string[],
  description: '',
}

type WebhookFields = typeof newFields

/** What is wrong with the fields, by their names. The API checks the rest. */
export function webhookFaults({ url, events }: WebhookFields): Record<string, string> {
  return {
    ...(url.trim() === '' && { url: 'Write the URL of your server.' }),
    ...(events.length === 0 && { events: 'Choose at least one type.' }),
  }
}

/** The fields as the API takes them. */
export const webhookOf = ({ url, events, description }: WebhookFields) => ({
  url: url.trim(),
  // The service refuses a type that it does not know.
  events: events as EventTypes,
  description: description.trim(),
})

/** The fields that are different from those of a webhook, or `undefined` if none is. */
export function changesOf(
  webhook: Webhook,
  fields: WebhookFields,
): Omit<UpdateWebhookParams, 'webhookId'> | undefined {
  const { url, events, description } = webhookOf(fields)
  const isSame = events.toSorted().join() === webhook.events.toSorted().join()
  const changes = {
    ...(url !== webhook.url && { url }),
    ...(!isSame && { events }),
    ...(description !== webhook.description && { description }),
  }
  return Object.keys(changes).length > 0 ? changes : undefined
}
