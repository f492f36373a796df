import type { ComponentChildren } from 'preact'
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

/** Creates a webhook. */
export function CreateWebhookDialog({
  onCreated,
  onClose,
}: {
  onCreated: (webhook: WebhookWithSecret) => void
  onClose: () => void
}) {
  const client = useClient()
  return (
    <WebhookDialog
      title="Create a webhook"
      action="Create"
      initial={newFields}
      urlHint="Where your server gets the events. It begins with https://."
      onSend={async (fields) => onCreated(await client.createWebhook(webhookOf(fields)))}
      onClose={onClose}
    />
  )
}

/** What the dialogs about a webhook get. */
export interface ActionDialogProps {
  webhook: Webhook
  onSecret: (webhook: WebhookWithSecret) => void
  /** What was done, and the webhook after it. */
  onDone: (what: string, webhook: Webhook) => void
  onDeleted: (webhook: Webhook) => void
  onClose: () => void
}

/** Changes the URL, the types of events and the description of a webhook: only what is different is sent. */
export function EditWebhookDialog({ webhook, onDone, onClose }: ActionDialogProps) {
  const client = useClient()
  const { webhookId, url, events, description, state } = webhook
  return (
    <WebhookDialog
      title="Edit a webhook"
      action="Save"
      initial={{ url, events, description }}
      urlHint="Another URL must be verified again, with the same secret."
      onSend={async (fields) => {
        const changes = changesOf(webhook, fields)
        const changed = changes && (await client.updateWebhook({ webhookId, ...changes }))
        onDone('Saved.', changed ?? webhook)
      }}
      onClose={onClose}
    >
      {(fields) =>
        state !== 'unverified' &&
        changesOf(webhook, fields)?.url !== undefined && (
          <Notice kind="warning">
            <p>
              The webhook gets no events until the server at the new URL has answered a test. What
              happens until then is not sent.
            </p>
          </Notice>
        )
      }
    </WebhookDialog>
  )
}

/** The form for a webhook, new or not. Its texts are no draft, because a URL can contain a secret. */
function WebhookDialog({
  title,
  action,
  initial,
  urlHint,
  onSend,
  onClose,
  children,
}: {
  title: string
  action: string
  initial: WebhookFields
  urlHint: string
  onSend: (fields: WebhookFields) => Promise<void>
  onClose: () => void
  /** What the form says about the fields. */
  children?: (fields: WebhookFields) => ComponentChildren
}) {
  const [fields, setFields] = useState(initial)
  const send = useForm(() => onSend(fields), webhookFaults(fields))
  const { faultOf } = send
  return (
    <FormDialog title={title} action={action} form={send} onClose={onClose}>
      <TextField
        label="URL"
        hint={urlHint}
        value={fields.url}
        onValue={(url) => setFields({ ...fields, url })}
        error={faultOf('url')}
        inputMode="url"
        spellcheck={false}
      />
      <EventTypeField
        chosen={fields.events}
        onChosen={(events) => setFields({ ...fields, events })}
        error={faultOf('events')}
      />
      <TextField
        label="Description"
        hint="What it is for, for example “Game server in Europe”."
        isOptional
        value={fields.description}
        onValue={(description) => setFields({ ...fields, description })}
        error={faultOf('description')}
      />
      {children?.(fields)}
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
    <fieldset class="choices stack is-close" aria-describedby={error ? id : undefined}>
      <legend>Events</legend>
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

/** The types of events that the API takes. */
type EventTypes = NonNullable<UpdateWebhookParams['events']>

/** What the user has typed and chosen about a webhook. */
export interface WebhookFields {
  url: string
  events: readonly string[]
  description: string
}

/** A new webhook gets every type. */
export const newFields: WebhookFields = {
  url: '',
  events: Object.keys(eventTypes),
  description: '',
}

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
