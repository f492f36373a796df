import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Webhook, WebhookWithSecret } from '../../../clients/typescript/src/types.ts'
import { Notice } from '../../components/feedback.tsx'
import { CheckField, TextField } from '../../components/field.tsx'
import { FormDialog, useForm } from '../../components/form.tsx'
import { useClient } from '../../shell/shell-context.ts'
import {
  changesOf,
  newFields,
  type WebhookFields,
  webhookFaults,
  webhookOf,
} from './webhook-fields.ts'
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

/** Changes the URL, the types of events and the description of a webhook: only what is different is sent. */
export function EditWebhookDialog({
  webhook,
  onChanged,
  onClose,
}: {
  webhook: Webhook
  onChanged: (webhook: Webhook) => void
  onClose: () => void
}) {
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
        onChanged(changes ? await client.updateWebhook({ webhookId, ...changes }) : webhook)
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
