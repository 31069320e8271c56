import { Badge, Group, Table, Text } from '@mantine/core'
import type { Customer, PaymentToken } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { joinSentences } from '#components/joined.ts'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { cardText } from '#pages/customers/customer-list.tsx'

interface Change {
  readonly kind: 'default' | 'remove'
  readonly token: PaymentToken
}

/** The cards and auto-debit agreements of a customer. */
export function PaymentTokens({ customer }: { readonly customer: Customer }) {
  const { t } = useTranslation('customers')
  const [change, setChange] = useState<Change>()
  const query = useApiQuery(
    ['customers', customer.uuid, 'tokens'],
    async ({ quittance }, signal) => await quittance.paymentTokens.list(customer.uuid, {}, { signal }),
  )
  return (
    <Section title={t('tokens')}>
      <Loaded query={query}>
        {(tokens) =>
          tokens.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('no_tokens')}
            </Text>
          ) : (
            <ScrollTable label={t('tokens')} minWidth={480} verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('token.method')}</Table.Th>
                  <Table.Th>{t('token.state')}</Table.Th>
                  <Table.Th>{t('token.expiry')}</Table.Th>
                  <Table.Th>{t('token.actions')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {tokens.map((token) => (
                  <Table.Tr key={token.verify_uuid}>
                    <Table.Td>
                      <Group gap={6} wrap="nowrap">
                        <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
                          {cardText(token)}
                        </Text>
                        {token.default && (
                          <Badge variant="default" size="sm" tt="none" miw="max-content">
                            {t('token.default')}
                          </Badge>
                        )}
                      </Group>
                      <CopyableId id={token.token} />
                    </Table.Td>
                    <Table.Td>
                      <StateBadge state={token.state} />
                      {token.error_msg !== undefined && (
                        <Text size="xs" c="dimmed">
                          {token.error_msg}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>
                      {token.credit_card === undefined
                        ? '—'
                        : `${token.credit_card.exp_month} / ${token.credit_card.exp_year}`}
                    </Table.Td>
                    <Table.Td>
                      <Group gap={6} wrap="nowrap">
                        {token.state === 'active' && !token.default && (
                          <ActionButton
                            size="xs"
                            scope="customers:write"
                            onClick={() => setChange({ kind: 'default', token })}
                          >
                            {t('token.make_default')}
                          </ActionButton>
                        )}
                        <ActionButton
                          size="xs"
                          scope="customers:write"
                          onClick={() => setChange({ kind: 'remove', token })}
                        >
                          {t('token.remove')}
                        </ActionButton>
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </ScrollTable>
          )
        }
      </Loaded>
      {change !== undefined && (
        <TokenDialog customer={customer} change={change} onClose={() => setChange(undefined)} />
      )}
    </Section>
  )
}

interface TokenDialogProps {
  readonly customer: Customer
  readonly change: Change
  readonly onClose: () => void
}

function TokenDialog({ customer, change: { kind, token }, onClose }: TokenDialogProps) {
  const { t, i18n } = useTranslation('customers')
  const card = cardText(token)
  const isDefault = token.default ? t('remove.effect_default') : ''
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger={kind === 'remove'}
      title={t(`${kind}.title`)}
      confirmLabel={t(`${kind}.confirm`)}
      doneMessage={t(`${kind}.done`)}
      effect={joinSentences(i18n.language, [
        t(`${kind}.effect`, { card }),
        kind === 'remove' ? isDefault : '',
      ])}
      run={async (quittance) => {
        if (kind === 'remove') await quittance.paymentTokens.delete(customer.uuid, token.token)
        else {
          const { name = '', phone = '' } = customer
          const edit = { name, phone, default_payment_token: token.token }
          await quittance.customers.update(customer.uuid, edit)
        }
      }}
    />
  )
}
