import { Button, CopyButton } from '../../components/button.tsx'
import { CheckField, SelectField, TextField } from '../../components/field.tsx'
import { Segments } from '../../components/segments.tsx'
import { counted } from '../../shell/counted.ts'
import { setQuery } from '../../shell/location.ts'
import { useShell } from '../../shell/shell-context.ts'
import { pageSizes, type TrySettings } from './call.ts'
import { samplePlayerToken } from './sample-player.tsx'

const pasted = 'pasted'

interface CallFormProps {
  settings: TrySettings
  token: string
  onToken: (token: string) => void
  isRunning: boolean
  onSend: () => void
}

/** The settings of the call, which are in the address of the page, and the button that makes it. */
export function CallForm({ settings, token, onToken, isRunning, onSend }: CallFormProps) {
  const { chains, samplePlayers = [] } = useShell().config
  const { player } = settings
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isRunning) onSend()
      }}
    >
      <div class="try-fields columns">
        {samplePlayers.length > 0 && (
          <SelectField
            label="Player"
            value={player ?? pasted}
            onValue={(chosen) => setQuery({ player: chosen })}
            options={[
              ...samplePlayers.map(({ player: name, wallets }) => ({
                value: name,
                label: `${name} (${counted(wallets, 'wallet')})`,
              })),
              { value: pasted, label: 'Paste a player token' },
            ]}
          />
        )}
        {player === undefined && (
          <TextField
            label="Player token"
            hint="It is sent to the service only, and kept nowhere."
            type="password"
            required
            spellcheck={false}
            value={token}
            onValue={(value) => onToken(value.trim())}
          />
        )}
        <SelectField
          label="NFTs per page"
          value={String(settings.limit ?? '')}
          onValue={(limit) => setQuery({ limit })}
          options={[
            { value: '', label: 'As many as possible' },
            ...pageSizes.map((size) => ({ value: String(size), label: String(size) })),
          ]}
        />
      </div>
      <div class="try-fields columns">
        <Segments
          label="Metadata"
          hasVisibleLabel
          value={settings.form}
          options={forms}
          onValue={(form) => setQuery({ form })}
        />
        <ChainChoice all={chains} chosen={settings.chains} />
      </div>
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={isRunning}>
          Send
        </Button>
        {player !== undefined && (
          <CopyButton text={() => samplePlayerToken(player)} what="the player token" isLabelled />
        )}
      </div>
    </form>
  )
}

const forms = [
  { value: 'structured', label: 'Structured' },
  { value: 'raw', label: 'Raw' },
] as const

function ChainChoice({ all, chosen }: { all: readonly string[]; chosen: readonly string[] }) {
  const toggle = (chain: string, isOn: boolean) => {
    const chains = all.filter((each) => (each === chain ? isOn : chosen.includes(each)))
    setQuery({ chains: chains.join(',') })
  }
  return (
    <fieldset class="field">
      <legend class="strong">
        Chains <span class="soft">(none chosen: every chain)</span>
      </legend>
      <div class="try-chains cluster">
        {all.map((chain) => (
          <CheckField
            key={chain}
            isChecked={chosen.includes(chain)}
            onChecked={(isOn) => toggle(chain, isOn)}
          >
            {chain}
          </CheckField>
        ))}
      </div>
    </fieldset>
  )
}
