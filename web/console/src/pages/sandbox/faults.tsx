import { NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Fields, Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'

const NAMES = ['latency_ms', 'fail_before_percent', 'fail_after_percent', 'lose_answer_percent'] as const
type Settings = Readonly<Record<(typeof NAMES)[number], number>>

const MAX_LATENCY_MS = 60_000

/** How the simulated acquirer misbehaves towards this test environment. */
export function Faults() {
  const { t } = useTranslation('sandbox')
  const [isOpen, setOpen] = useState(false)
  const query = useApiQuery(['faults'], ({ quittance }, signal) => quittance.sandbox.getFaults({ signal }))
  return (
    <Section
      title={t('faults.title')}
      actions={
        query.data !== undefined && (
          <ActionButton size="xs" scope="admin:write" onClick={() => setOpen(true)}>
            {t('faults.change')}
          </ActionButton>
        )
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        {t('faults.text')}
      </Text>
      <Loaded query={query}>
        {(faults) => (
          <Stack gap="xs">
            <div>
              <StateBadge
                state={hasFaults(faults) ? 'pending' : 'completed'}
                label={t(hasFaults(faults) ? 'faults.on' : 'faults.off')}
              />
            </div>
            {hasFaults(faults) && (
              <Fields
                fields={NAMES.map((name) => [
                  t(`faults.${name}`),
                  t(`faults.value_${name}`, { value: faults[name] }),
                ])}
              />
            )}
            {isOpen && <FaultsDialog faults={faults} onClose={() => setOpen(false)} />}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function hasFaults(faults: Settings): boolean {
  return NAMES.some((name) => faults[name] > 0)
}

interface FaultsDialogProps {
  readonly faults: Settings
  readonly onClose: () => void
}

function FaultsDialog({ faults, onClose }: FaultsDialogProps) {
  const { t } = useTranslation('sandbox')
  const [values, setValues] = useState<Settings>({
    latency_ms: faults.latency_ms,
    fail_before_percent: faults.fail_before_percent,
    fail_after_percent: faults.fail_after_percent,
    lose_answer_percent: faults.lose_answer_percent,
  })
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('faults.dialog')}
      confirmLabel={t('faults.save')}
      doneMessage={t('faults.saved')}
      effect={t(hasFaults(values) ? 'faults.effect' : 'faults.effect_off')}
      run={(quittance) => quittance.sandbox.setFaults(values)}
    >
      {NAMES.map((name) => (
        <NumberInput
          key={name}
          label={t(`faults.${name}`)}
          description={t(`faults.hint_${name}`)}
          min={0}
          max={name === 'latency_ms' ? MAX_LATENCY_MS : 100}
          allowDecimal={false}
          clampBehavior="strict"
          suffix={name === 'latency_ms' ? ' ms' : ' %'}
          value={values[name]}
          onChange={(value) => setValues({ ...values, [name]: Number(value) || 0 })}
        />
      ))}
    </ActionDialog>
  )
}
