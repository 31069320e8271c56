import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyableId } from '#components/copyable-id.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { Section } from '#components/section.tsx'

/** What binding and charging a card does (reference/sandbox#test-cards). */
const CARDS = [
  ['4242424242424242', 'approved'],
  ['5555555555554444', 'approved'],
  ['378282246310005', 'approved'],
  ['4000000000000002', 'not_bound'],
  ['4000000000000341', 'card_declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000009987', 'lost_card'],
  ['4000000000009979', 'stolen_card'],
  ['4000000000000069', 'expired_card'],
  ['4000000000006975', 'card_velocity_exceeded'],
  ['4000002500003155', 'three_d_secure'],
  ['4000000000000259', 'disputed'],
  ['4000000000007106', 'dispute_won'],
  ['4000000000007205', 'dispute_lost'],
  ['4000000000000119', 'unknown_not_booked'],
  ['4000000000000127', 'unknown_booked'],
] as const

export function TestCards() {
  const { t } = useTranslation('sandbox')
  return (
    <Section title={t('cards.title')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('cards.text')}
      </Text>
      <ScrollTable label={t('cards.title')} minWidth={340} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('cards.number')}</Table.Th>
            <Table.Th>{t('cards.outcome')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {CARDS.map(([number, outcome]) => (
            <Table.Tr key={number}>
              <Table.Td>
                <CopyableId id={number} />
              </Table.Td>
              <Table.Td>{t(`cards.${outcome}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Section>
  )
}
