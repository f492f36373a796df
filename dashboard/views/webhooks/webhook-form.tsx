import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { describeError, fieldSentence } from '../../shell/describe-error.ts'
import { type WebhookFields, webhookFaults } from './webhook-fields.ts'
import { eventTypes } from './webhook-words.ts'

/** The form for a webhook, new or not, with its actions as children. */
export const WebhookForm = ({
  fields,
  onFields,
  isChecked,
  error,
  urlNote,
  onSubmit,
  children,
}: {
  fields: WebhookFields
  onFields: (fields: WebhookFields) => void
  /** Whether the user has tried to send it, so that it says what is wrong. */
  isChecked: boolean
  /** Why the service has refused it. */
  error: unknown
  urlNote?: string | undefined
  onSubmit: () => void
  children: ComponentChildren
}) => {
  const found = isChecked ? webhookFaults(fields) : {}
  const refused = error === undefined ? {} : describeError(error).fields
  const faultOf = (name: keyof WebhookFields) => found[name] ?? fieldSentence(refused[name])
  return (
    <Form onSubmit={onSubmit}>
      <TextField
        label="URL"
        hint={urlNote ?? 'Where your server gets the events. It begins with https://.'}
        value={fields.url}
        onValue={(url) => onFields({ ...fields, url })}
        error={faultOf('url')}
        inputMode="url"
        spellcheck={false}
      />
      <EventTypeField
        chosen={fields.events}
        onChosen={(events) => onFields({ ...fields, events })}
        error={faultOf('events')}
      />
      <TextField
        label="Description"
        hint="What it is for, for example “Game server in Europe”."
        isOptional
        value={fields.description}
        onValue={(description) => onFields({ ...fields, description })}
        error={faultOf('description')}
      />
      {children}
    </Form>
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
        <label key={type} class="check">
          <input type="checkbox" checked={chosen.includes(type)} onChange={() => toggle(type)} />
          <span>
            <code>{type}</code>
            <span class="hint"> {meanings.get(type)}</span>
          </span>
        </label>
      ))}
      {error && (
        <p class="field-error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
