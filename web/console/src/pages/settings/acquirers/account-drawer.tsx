import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { DetailDrawer } from '#components/detail-drawer.tsx'
import { Fields } from '#components/section.tsx'
import { sentence } from '#components/sentence.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { type AcquirerAccount, Currencies, Methods } from '#pages/settings/acquirers/account-list.tsx'

type AccountChange = 'edit' | 'disable'

interface AccountDrawerProps {
  readonly account: AcquirerAccount
  readonly onChange: (change: AccountChange) => void
  readonly onClose: () => void
}

export function AccountDrawer({ account, onChange, onClose }: AccountDrawerProps) {
  const { t } = useTranslation('acquirers')
  const api = useApi()
  return (
    <DetailDrawer title={account.name} onClose={onClose}>
      <Fields
        fields={[
          [t('column.state'), <StateBadge key="state" state={account.state} />],
          [t('column.acquirer'), sentence(account.acquirer)],
          [t('column.id'), <CopyableId key="id" id={account.id} />],
          [t('column.merchant_id'), <CopyableId key="merchant" id={account.merchant_id} />],
          [t('column.methods'), <Methods key="methods" methods={account.methods} />],
          account.wallets?.wallet_a !== undefined && [
            t('wallet.wallet_a'),
            t(`wallet.${account.wallets.wallet_a}`),
          ],
          account.wallets?.wallet_b !== undefined && [
            t('wallet.wallet_b'),
            t(`wallet.${account.wallets.wallet_b}`),
          ],
          [t('column.currencies'), <Currencies key="currencies" currencies={account.currencies} />],
          account.apple_pay_domain !== undefined && [
            t('apple_pay.title'),
            <DomainRegistration key="domain" domain={account.apple_pay_domain} />,
          ],
          [t('webhook_url'), <CopyableId key="webhook" id={account.webhook_url} />],
          account.statement_descriptor !== undefined && [
            t('statement_descriptor'),
            account.statement_descriptor,
          ],
          [t('column.created_at'), <Time key="created" at={account.created_at} />],
        ]}
      />
      {api.can('admin:write') && account.state === 'active' && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onChange('edit')}>
            {t('edit')}
          </Button>
          <Button size="xs" variant="default" onClick={() => onChange('disable')}>
            {t('disable')}
          </Button>
        </Group>
      )}
    </DetailDrawer>
  )
}

interface DomainRegistrationProps {
  readonly domain: NonNullable<AcquirerAccount['apple_pay_domain']>
}

function DomainRegistration({ domain: { name, state, message } }: DomainRegistrationProps) {
  const { t } = useTranslation('acquirers')
  return (
    <Stack gap={0}>
      <span>{t(`apple_pay.${state}`, { name })}</span>
      {(state === 'refused' || state === 'unreachable') && (
        <Text size="sm" c="dimmed" lang="en">
          {message}
        </Text>
      )}
    </Stack>
  )
}
