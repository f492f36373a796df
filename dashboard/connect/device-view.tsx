import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { PlayerNfts } from '../../clients/typescript/src/client.ts'
import type { DeviceRequest } from '../../clients/typescript/src/types.ts'
import { Button } from '../components/button.tsx'
import { Progress } from '../components/feedback.tsx'
import { TextField } from '../components/field.tsx'
import { isolated } from '../components/foreign-text.tsx'
import { Form } from '../components/form.tsx'
import { useLoad } from '../shell/use-load.ts'
import { DeviceDecision } from './device-decision.tsx'
import { Card, Heading, Trouble } from './parts.tsx'

/** A game that asks for access with a code, and what the user says to it. */
export function DeviceView({
  code,
  client,
  onCode,
  onLeave,
}: {
  code: string
  client: PlayerNfts
  onCode: (code: string) => void
  onLeave: () => void
}) {
  const {
    data: request,
    error,
    replace,
    reload,
  } = useLoad(async () => {
    // A path has no place for `.` and `..`, and a dash means nothing in a code.
    const found = await client.getDeviceRequest({ userCode: code.replaceAll('.', '-') })
    return { ...found, isDecidedHere: false }
  }, [code])
  const leave = (
    <div class="actions">
      <Button onClick={onLeave}>To my wallets and games</Button>
    </div>
  )
  if (error !== undefined) {
    return (
      <div class="stack">
        <Heading title="Connect a game" />
        <Trouble error={error} />
        <Card title="Enter the code again">
          <CodeForm onCode={(next) => (next === code ? reload() : onCode(next))} />
        </Card>
        {leave}
      </div>
    )
  }
  if (!request) return <Progress label="Loading…" />
  if (request.state === 'pending') {
    return (
      <DeviceDecision
        {...{ request, client, leave }}
        onDecided={(decided) => replace({ ...decided, isDecidedHere: true })}
      />
    )
  }
  return <Ended request={request}>{leave}</Ended>
}

/** A request after its end: a decision here or elsewhere, or no decision in time. */
function Ended({
  request: { product, state, isDecidedHere },
  children,
}: {
  request: DeviceRequest & { isDecidedHere: boolean }
  children: ComponentChildren
}) {
  const game = isolated(product.name)
  const [title, text] =
    state === 'expired'
      ? ['This code is too old', 'A code is valid for 10 minutes. Let your game show a new one.']
      : isDecidedHere
        ? state === 'approved'
          ? ['Done', `${game} has access. Go back to the game: it goes on by itself.`]
          : ['No access', `${game} gets nothing.`]
        : [
            'This code was used before',
            'Somebody has said yes or no to it already. Let your game show a new one.',
          ]
  return (
    <div class="stack">
      <Heading key={title} title={title}>
        {text}
      </Heading>
      {children}
    </div>
  )
}

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
        label="Code of the game"
        hint="Eight letters, such as WDJB-MJHT."
        error={isMissing ? 'Enter the code that your game shows.' : undefined}
        maxLength={40}
        spellcheck={false}
        value={code}
        onValue={setCode}
      />
      <div class="actions">
        <Button type="submit">Continue</Button>
      </div>
    </Form>
  )
}
