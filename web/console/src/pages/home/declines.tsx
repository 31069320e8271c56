import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { declineText } from '#components/decline-text.ts'
import { TextLink } from '#components/links.tsx'
import { writeFilter } from '#components/list/filter-language.ts'
import { Money } from '#components/money.tsx'
import { Section } from '#components/section.tsx'
import type { Overview } from '#pages/home/report-types.ts'

const TRANSACTIONS: string = '/transactions'

/** Failures by reason. A reason leads to its transactions. */
export function Declines({ overview }: { readonly overview: Overview }) {
  const { t, i18n } = useTranslation('home')
  const components = useTranslation('components')
  const { declines, currency } = overview
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <Section title={t('declines.title')}>
      {declines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('declines.none')}
        </Text>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('declines.reason')}</Table.Th>
              <Table.Th ta="right">{t('declines.count')}</Table.Th>
              <Table.Th ta="right">{t('declines.total')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {declines.map(({ decline_code, count, total }) => (
              <Table.Tr key={decline_code}>
                <Table.Td>
                  <TextLink
                    size="sm"
                    to={TRANSACTIONS}
                    search={{
                      filter: writeFilter([
                        { field: 'decline_code', comparator: '=', values: [decline_code] },
                      ]),
                    }}
                  >
                    {declineText(decline_code, components.t)}
                  </TextLink>
                </Table.Td>
                <Table.Td ta="right">{number.format(count)}</Table.Td>
                <Table.Td ta="right">
                  <Money amount={total} currency={currency} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  )
}
