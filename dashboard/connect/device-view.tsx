import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Progress } from '../components/feedback.tsx'
import { TextField } from '../components/field.tsx'
import { isolated } from '../components/foreign-text.tsx'
import { Form } from '../components/form.tsx'
import { useLoad } from '../shell/use-load.ts'
import { DeviceDecision } from './device-decision.tsx'
import { Card, Heading } from './heading.tsx'
import type { GameRequest, PageService } from './service.ts'
import { texts } from './texts.ts'
import { Trouble } from './trouble.tsx'

const own = texts.device

/** A game that asks for access with a code, and what the user says to it. */
export function DeviceView({
  code,
  service,
  onCode,
  onLeave,
}: {
  code: string
  service: PageService
  onCode: (code: string) => void
  onLeave: () => void
}) {
  const {
    data: request,
    error,
    replace,
    reload,
  } = useLoad(async () => {
    const found = await service.gameRequest(code)
    return { ...found, isDecidedHere: false }
  }, [code])
  const leave = (
    <div class="actions">
      <Button onClick={onLeave}>{own.toAccount}</Button>
    </div>
  )
  if (error !== undefined) {
    return (
      <div class="stack">
        <Heading title={own.enterTitle} />
        <Trouble error={error} />
        <Card title={own.againTitle}>
          <CodeForm onCode={(next) => (next === code ? reload() : onCode(next))} />
        </Card>
        {leave}
      </div>
    )
  }
  if (!request) return <Progress label={texts.loading} />
  if (request.state === 'pending') {
    return (
      <DeviceDecision
        {...{ request, service, leave }}
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
  request: GameRequest & { isDecidedHere: boolean }
  children: ComponentChildren
}) {
  const game = isolated(product.name)
  const [title, text] =
    state === 'expired'
      ? [own.expiredTitle, own.expired]
      : isDecidedHere
        ? state === 'approved'
          ? [own.approvedTitle, own.approved(game)]
          : [own.deniedTitle, own.denied(game)]
        : [own.decidedTitle, own.decided]
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
