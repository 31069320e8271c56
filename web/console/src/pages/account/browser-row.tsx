import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StateBadge } from '#components/state-badge.tsx'
import { BrowserTime } from '#components/time.tsx'
import { browserName } from '#pages/account/browser-name.ts'

export interface KnownBrowser {
  readonly id: string
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly last_used_at: string
  readonly current?: boolean
}

interface BrowserRowProps {
  readonly browser: KnownBrowser
  readonly endLabel: string
  readonly onEnd: (() => void) | undefined
}

export function BrowserRow({ browser, endLabel, onEnd }: BrowserRowProps) {
  const { t } = useTranslation('account')
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm">
          {browserName(browser.user_agent) ?? t('sessions.unknown')}{' '}
          {browser.current === true && <StateBadge state="active" label={t('sessions.current')} />}
        </Text>
        <Text size="xs" c="dimmed">
          {browser.ip_address} · <BrowserTime at={browser.last_used_at} />
        </Text>
      </div>
      {onEnd !== undefined && (
        <Button variant="default" size="compact-xs" onClick={onEnd}>
          {endLabel}
        </Button>
      )}
    </Group>
  )
}
