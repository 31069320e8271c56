import { Group, NumberInput, Progress, Slider, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useTimeZone } from '#app/shell-context.ts'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { BlockableButton } from '#components/blockable-button.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { Section } from '#components/section.tsx'
import { formatTime, Time } from '#components/time.tsx'
import { DueOnTheWay } from '#pages/sandbox/due-on-the-way.tsx'

const DAY_MS = 24 * 60 * 60 * 1000
const MAX_DAYS = 3_650
const SLIDER_DAYS = 366
const POLL_MS = 500
/** The response to an advance comes when all of it is done. Over a year that takes minutes with many plans. */
const ADVANCE_MS = 30 * 60 * 1000
const SHORTCUTS = [
  ['day', 1],
  ['week', 7],
  ['month', 31],
  ['year', 366],
] as const

/** The clock of the test environment, and what an advance would run. */
export function Clock() {
  const { t, i18n } = useTranslation('sandbox')
  const zone = useTimeZone()
  const { key } = useApi()
  const queryClient = useQueryClient()
  const [days, setDays] = useState(1)
  const [isOpen, setOpen] = useState(false)
  const [from, setFrom] = useState<string>()
  const isAdvancing = from !== undefined
  const clock = useApiQuery(['clock'], (api, signal) => api.quittance.sandbox.getClock({ signal }), {
    refetchInterval: isAdvancing ? POLL_MS : 15_000,
  })
  const now = clock.data?.now
  const start = from ?? now
  const to = start === undefined ? undefined : new Date(Date.parse(start) + days * DAY_MS).toISOString()
  const [settled] = useDebouncedValue(to, 250)
  const show = (at: string) => formatTime(at, i18n.language, zone)
  return (
    <Section title={t('clock.title')}>
      {clock.error !== null && now === undefined && <ErrorState error={clock.error} retry={clock.refetch} />}
      {now !== undefined && to !== undefined && (
        <Stack gap="md">
          <Text size="sm" aria-live="polite">
            {t('clock.now')} <strong>{<Time at={now} withSeconds />}</strong>
          </Text>
          {from !== undefined && <AdvanceProgress from={from} now={now} to={to} />}
          <Slider
            label={(value) => t('clock.days', { count: value })}
            thumbLabel={t('clock.slider')}
            min={1}
            max={SLIDER_DAYS}
            value={Math.min(days, SLIDER_DAYS)}
            disabled={isAdvancing}
            marks={SHORTCUTS.map(([name, value]) => ({
              value,
              label: value < 31 ? undefined : t(`clock.mark_${name}`),
            }))}
            mb="md"
            onChange={setDays}
          />
          <Group gap="xs" align="flex-end">
            <NumberInput
              label={t('clock.by_days')}
              w={120}
              min={1}
              max={MAX_DAYS}
              allowDecimal={false}
              clampBehavior="strict"
              value={days}
              disabled={isAdvancing}
              onChange={(value) => setDays(Math.max(1, Number(value) || 1))}
            />
            <TextInput
              label={t('clock.to_date')}
              type="date"
              value={dateIn(zone, to)}
              min={dateIn(zone, now)}
              disabled={isAdvancing}
              onChange={(event) => setDays(daysUntil(event.currentTarget.value, dateIn(zone, now)))}
            />
            {SHORTCUTS.map(([name, value]) => (
              <BlockableButton
                key={name}
                variant="default"
                blocked={isAdvancing ? t('clock.advancing') : undefined}
                onClick={() => setDays(value)}
              >
                {t(`clock.plus_${name}`)}
              </BlockableButton>
            ))}
          </Group>
          {settled !== undefined && <DueOnTheWay to={settled} />}
          <Group>
            <ActionButton
              scope="admin:write"
              variant="filled"
              blocked={isAdvancing ? t('clock.advancing') : undefined}
              onClick={() => setOpen(true)}
            >
              {t('clock.advance_to', { time: show(to) })}
            </ActionButton>
          </Group>
          <ActionDialog
            opened={isOpen}
            onClose={() => setOpen(false)}
            isDanger
            isClosable
            timeoutMs={ADVANCE_MS}
            title={t('clock.confirm_title')}
            confirmLabel={t('clock.confirm')}
            doneMessage={t('clock.done')}
            effect={t('clock.effect', { count: days, from: show(start ?? now), to: show(to) })}
            run={async (quittance) => {
              setFrom(now)
              try {
                await quittance.sandbox.advanceClock({ to })
              } finally {
                setFrom(undefined)
                void queryClient.invalidateQueries({ queryKey: key() })
              }
            }}
          >
            {isAdvancing ? <AdvanceProgress from={from} now={now} to={to} /> : undefined}
          </ActionDialog>
        </Stack>
      )}
    </Section>
  )
}

interface AdvanceProgressProps {
  readonly from: string
  readonly now: string
  readonly to: string
}

function AdvanceProgress({ from, now, to }: AdvanceProgressProps) {
  const { t } = useTranslation('sandbox')
  const done = (Date.parse(now) - Date.parse(from)) / (Date.parse(to) - Date.parse(from))
  const percent = Math.round(Math.max(0, Math.min(1, done)) * 100)
  return (
    <div>
      <Progress value={percent} animated aria-label={t('clock.progress', { percent })} />
      <Text size="xs" c="dimmed" mt={4}>
        {t('clock.at')} <Time at={now} />
      </Text>
    </div>
  )
}

/** `YYYY-MM-DD`, which is how Canada writes dates. */
function dateIn(timeZone: string, at: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(at))
}

function daysUntil(date: string, today: string): number {
  const days = Math.round((Date.parse(date) - Date.parse(today)) / DAY_MS)
  return Number.isFinite(days) ? Math.max(1, Math.min(MAX_DAYS, days)) : 1
}
