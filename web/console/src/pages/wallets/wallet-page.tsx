import { Button, Group, Image, Select, Stack, Table, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Wallet } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalDialog } from '#components/modal-dialog.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Fields, Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { depositsOf } from '#pages/wallets/deposits.tsx'

const route = getRouteApi('/shell/wallets/$id')
const STATES = ['confirmed', 'pending', 'reorged'] as const

export function WalletPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['wallets', id], ({ quittance }, signal) => quittance.wallets.get(id, { signal }))
  return <Loaded query={query}>{(wallet) => <WalletDetails wallet={wallet} />}</Loaded>
}

function WalletDetails({ wallet }: { readonly wallet: Wallet }) {
  const { t } = useTranslation('wallets')
  const [state, setState] = useState<(typeof STATES)[number]>('confirmed')
  return (
    <>
      <PageHeader
        title={t('title_one', { user: wallet.p_user_id })}
        back={<TextLink to="/wallets">{t('title')}</TextLink>}
      />
      <Columns
        main={
          <>
            <Balances wallet={wallet} />
            <Section
              title={t('deposits')}
              actions={
                <Select
                  size="xs"
                  w={150}
                  aria-label={t('deposit_state')}
                  data={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
                  value={state}
                  allowDeselect={false}
                  onChange={(value) => setState(STATES.find((one) => one === value) ?? 'confirmed')}
                />
              }
            >
              <RelatedList
                key={state}
                list={depositsOf(wallet, state)}
                label={t('deposits')}
                empty={t(`no_deposits.${state}`)}
                limit={20}
              />
            </Section>
            <RawObject value={wallet} />
          </>
        }
        side={
          <>
            <Section title={t('details')}>
              <Fields
                fields={[
                  [t('column.p_user_id'), wallet.p_user_id],
                  [t('column.id'), <CopyableId key="id" id={wallet.id} />],
                  [t('column.created_at'), <Time key="at" at={wallet.p_created_at} />],
                ]}
              />
            </Section>
            <Addresses wallet={wallet} />
          </>
        }
      />
    </>
  )
}

function Balances({ wallet }: { readonly wallet: Wallet }) {
  const { t } = useTranslation('wallets')
  return (
    <Section title={t('balances')}>
      {wallet.balances.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('no_balances')}
        </Text>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">{t('balance.total')}</Table.Th>
              <Table.Th ta="right">{t('balance.available')}</Table.Th>
              <Table.Th ta="right">{t('balance.held')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {wallet.balances.map(({ currency, amount, available_amount, held_amount }) => (
              <Table.Tr key={currency}>
                {[amount, available_amount, held_amount].map((value, index) => (
                  <Table.Td key={['total', 'available', 'held'][index]} ta="right">
                    <Money amount={value} currency={currency} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  )
}

function Addresses({ wallet }: { readonly wallet: Wallet }) {
  const { t } = useTranslation('wallets')
  const [chain, setChain] = useState<string>()
  return (
    <Section title={t('addresses')}>
      {wallet.addresses.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('no_addresses')}
        </Text>
      )}
      <Stack gap="sm">
        {wallet.addresses.map(({ blockchain, address }) => (
          <div key={blockchain}>
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" fw={500}>
                {blockchain}
              </Text>
              <Button size="compact-xs" variant="default" onClick={() => setChain(blockchain)}>
                {t('qr.show')}
              </Button>
            </Group>
            <CopyableId id={address} />
          </div>
        ))}
      </Stack>
      {chain !== undefined && <QrDialog wallet={wallet} chain={chain} onClose={() => setChain(undefined)} />}
    </Section>
  )
}

interface QrDialogProps {
  readonly wallet: Wallet
  readonly chain: string
  readonly onClose: () => void
}

function QrDialog({ wallet, chain, onClose }: QrDialogProps) {
  const { t } = useTranslation(['wallets', 'components'])
  const query = useApiQuery(['wallets', wallet.id, 'qr', chain], ({ quittance }, signal) =>
    quittance.wallets.getAddressQr(wallet.id, chain, { signal }),
  )
  return (
    <ModalDialog
      opened
      onClose={onClose}
      title={t('qr.title', { chain })}
      closeButtonProps={{ 'aria-label': t('components:dialog.close') }}
    >
      <Loaded query={query}>
        {({ svg, address }) => (
          <Stack align="center">
            <Image
              src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
              alt={t('qr.alt', { chain, address })}
              w={240}
              h={240}
              bg="white"
            />
            <CopyableId id={address} />
            <Text size="sm" c="dimmed" ta="center">
              {t('qr.text', { chain })}
            </Text>
          </Stack>
        )}
      </Loaded>
    </ModalDialog>
  )
}
