import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { texts } from './texts.ts'

const own = texts.device

/** A form for the code that a game shows. */
export function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const [code, setCode] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  return (
    <Form
      onSubmit={() => {
        setIsMissing(code.trim() === '')
        if (code.trim() !== '') onCode(code.trim())
      }}
    >
      <TextField
        label={own.label}
        hint={own.hint}
        error={isMissing ? own.missing : undefined}
        maxLength={40}
        spellcheck={false}
        value={code}
        onValue={setCode}
      />
      <div class="actions">
        <Button type="submit">{own.goOn}</Button>
      </div>
    </Form>
  )
}
