import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/feedback.tsx'
import { CheckField, TextField } from '../components/field.tsx'
import { ForeignText, isolated } from '../components/foreign-text.tsx'
import { Form } from '../components/form.tsx'
import { timeAgo } from '../shell/time-text.ts'
import { useAction } from '../shell/use-action.ts'
import { useNow } from '../shell/use-now.ts'
import { Card, Heading } from './heading.tsx'
import type { GameRequest, PageService } from './service.ts'
import { texts } from './texts.ts'
import { Trouble } from './trouble.tsx'

const own = texts.device

/** How many letters of a code the user types at least if the page does not show it (D114). */
const typedLength = 4

/**
 * What a game asks for, and the decision. The code is shown, to be compared, only if the game has asked from the network of the user:
 * otherwise the user types the end of it from the screen of the game.
 */
export function DeviceDecision({
  request,
  service,
  leave,
  onDecided,
}: {
  request: GameRequest
  service: PageService
  /** The way out, when a decision has failed. */
  leave: ComponentChildren
  onDecided: (request: GameRequest) => void
}) {
  const { userCode, product, isSameNetwork } = request
  const [isCompared, setIsCompared] = useState(false)
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const deciding = useAction(async (_, approve: boolean) =>
    onDecided(await service.decide(userCode, approve)),
  )
  const approve = () => {
    const letters = lettersOf(typed)
    // Whoever types the whole code sees it too.
    const isTyped = letters.length >= typedLength && lettersOf(userCode).endsWith(letters)
    const isRight = isSameNetwork ? isCompared : isTyped
    setFault(isRight ? undefined : letters ? own.wrongFour : own.missingFour)
    if (isRight) void deciding.run(true)
  }
  return (
    <div class="stack">
      <Heading title={own.title(isolated(product.name))} />
      <Card title={own.facts}>
        <Facts request={request} />
        <Learns />
      </Card>
      {!isSameNetwork && (
        <Notice kind="warning" title={own.warning}>
          <p>{own.warningLead}</p>
        </Notice>
      )}
      <Form onSubmit={approve}>
        {isSameNetwork ? (
          <CheckField isChecked={isCompared} onChecked={setIsCompared}>
            {own.compared}
            <span class="hint">{own.comparedHint}</span>
          </CheckField>
        ) : (
          <TextField
            label={own.lastFour}
            hint={own.lastFourHint}
            error={fault}
            maxLength={9}
            spellcheck={false}
            value={typed}
            onValue={setTyped}
          />
        )}
        <Trouble error={deciding.error} />
        <div class="actions">
          <Button
            kind="primary"
            type="submit"
            disabled={isSameNetwork && !isCompared}
            isBusy={deciding.isRunning}
          >
            {own.approve}
          </Button>
          <Button isBusy={deciding.isRunning} onClick={() => void deciding.run(false)}>
            {own.deny}
          </Button>
        </div>
      </Form>
      {deciding.error !== undefined && leave}
    </div>
  )
}

function Facts({ request }: { request: GameRequest }) {
  const { product, userCode, askedAt, isSameNetwork } = request
  const now = useNow(30_000)
  return (
    <dl class="facts">
      <dt>{own.game}</dt>
      <dd>
        <ForeignText text={product.name} max={100} />
      </dd>
      <dt>{own.company}</dt>
      <dd>
        <ForeignText text={product.companyName} max={100} />
      </dd>
      {isSameNetwork && (
        <>
          <dt>{own.code}</dt>
          <dd>
            <strong class="mono device-code">{userCode}</strong>
          </dd>
        </>
      )}
      <dt>{own.asked}</dt>
      <dd>
        {timeAgo(Date.parse(askedAt), now)}, {isSameNetwork ? own.sameNetwork : own.otherNetwork}
      </dd>
    </dl>
  )
}

const Learns = () => (
  <div class="device-learns">
    <h3>{own.learns}</h3>
    <ul>
      <li>{own.learnsName}</li>
      <li>{own.learnsWallets}</li>
      <li>{own.learnsNfts}</li>
    </ul>
    <p class="soft">{own.learnsNothingElse}</p>
  </div>
)

/** The letters of a code as it is compared: in any case, with spaces and dashes anywhere (D101). */
const lettersOf = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z]/g, '')
