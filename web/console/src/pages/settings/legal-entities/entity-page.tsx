import { Stack, Table, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { AddressText } from '#components/address.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { Fields, Section } from '#components/section.tsx'
import { TaxIdList } from '#components/tax-id-list.tsx'
import { Time } from '#components/time.tsx'
import { EntityDialog } from '#pages/settings/legal-entities/entity-dialog.tsx'
import { CountryText, type LegalEntity } from '#pages/settings/legal-entities/entity-list.tsx'

const BANK_FIELDS = [
  'account_holder',
  'iban',
  'account_number',
  'bank_name',
  'bank_code',
  'branch_code',
  'bic',
  'fps_id',
] as const

const route = getRouteApi('/shell/settings/legal-entities/$id')

export function EntityPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['legal_entities', id], ({ quittance }, signal) =>
    quittance.legalEntities.get(id, { signal }),
  )
  return <Loaded query={query}>{(entity) => <EntityDetails entity={entity} />}</Loaded>
}

function EntityDetails({ entity }: { readonly entity: LegalEntity }) {
  const { t } = useTranslation(['legal-entities', 'tax-ids'])
  const [isEditing, setEditing] = useState(false)
  const { bank, reference_id } = entity
  return (
    <>
      <PageHeader
        title={entity.name}
        back={<TextLink to="/settings/legal-entities">{t('title')}</TextLink>}
        actions={
          <ActionButton scope="billing:write" onClick={() => setEditing(true)}>
            {t('edit.button')}
          </ActionButton>
        }
      />
      <Columns
        main={
          <>
            <Section title={t('column.registrations')}>
              <Registrations entity={entity} />
            </Section>
            <Section title={t('column.series')}>
              <Series entity={entity} />
            </Section>
            {entity.footer !== null && (
              <Section title={t('column.footer')}>
                <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
                  {entity.footer}
                </Text>
              </Section>
            )}
            <RawObject value={entity} />
          </>
        }
        side={
          <Stack gap="md">
            <Section title={t('column.address')}>
              <AddressText address={entity.address} />
            </Section>
            <Section title={t('details')}>
              <Fields
                fields={[
                  [t('column.id'), <CopyableId key="id" id={entity.id} />],
                  [t('column.tax_ids'), <TaxIdList key="tax_ids" ids={entity.tax_ids} />],
                  [t('column.oss'), t(entity.oss ? 'yes' : 'no')],
                  [t('column.currency'), entity.currency ?? '—'],
                  bank === null && [t('bank.title'), '—'],
                  ...BANK_FIELDS.map((name): false | [string, ReactNode] => {
                    const value = bank?.[name]
                    return value !== undefined && [t(`column.${name}`), <CopyableId key={name} id={value} />]
                  }),
                  entity.electronic_address !== null && [
                    t('tax-ids:eas.value'),
                    `${entity.electronic_address.scheme}:${entity.electronic_address.value}`,
                  ],
                  entity.contact !== null && [t('contact.title'), Object.values(entity.contact).join(', ')],
                  [t('column.tax_rounding'), t(`rounding.${entity.tax_rounding}`)],
                  reference_id !== null && [
                    t('column.reference_id'),
                    <CopyableId key="ref" id={reference_id} />,
                  ],
                  [t('column.created_at'), <Time key="at" at={entity.created_at} />],
                ]}
              />
            </Section>
            <Metadata value={entity} />
          </Stack>
        }
      />
      {isEditing && <EntityDialog entity={entity} onClose={() => setEditing(false)} />}
    </>
  )
}

function Registrations({ entity: { registrations } }: { readonly entity: LegalEntity }) {
  const { t } = useTranslation('legal-entities')
  if (registrations.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('no_registrations')}
      </Text>
    )
  }
  return (
    <ScrollTable label={t('column.registrations')} minWidth={440} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('column.country')}</Table.Th>
          <Table.Th>{t('column.region')}</Table.Th>
          <Table.Th>{t('column.registration_number')}</Table.Th>
          <Table.Th>{t('column.from')}</Table.Th>
          <Table.Th>{t('column.until')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {registrations.map(({ country, region, number, from, until }) => (
          <Table.Tr key={`${country} ${region} ${from}`}>
            <Table.Td>
              <CountryText code={country} />
            </Table.Td>
            <Table.Td>{region ?? t('whole_country')}</Table.Td>
            <Table.Td>{number ?? '—'}</Table.Td>
            <Table.Td>
              <Time at={from} />
            </Table.Td>
            <Table.Td>
              <Time at={until} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}

function Series({ entity: { series } }: { readonly entity: LegalEntity }) {
  const { t } = useTranslation('legal-entities')
  if (series.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('default_series')}
      </Text>
    )
  }
  return (
    <>
      <SeriesTable series={series} />
      {series.some(({ gaps }) => gaps !== undefined) && <Gaps series={series} />}
    </>
  )
}

function SeriesTable({ series }: Pick<LegalEntity, 'series'>) {
  const { t } = useTranslation('legal-entities')
  return (
    <ScrollTable label={t('column.series')} minWidth={440} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('column.key')}</Table.Th>
          <Table.Th>{t('column.invoice_format')}</Table.Th>
          <Table.Th>{t('column.credit_note_format')}</Table.Th>
          <Table.Th ta="right">{t('column.first_number')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {series.map(({ key, invoice_format, credit_note_format, first_number }) => (
          <Table.Tr key={key}>
            <Table.Td>{key}</Table.Td>
            <Table.Td>
              <code>{invoice_format}</code>
            </Table.Td>
            <Table.Td>
              <code>{credit_note_format}</code>
            </Table.Td>
            <Table.Td ta="right">{first_number}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}

/** Auditors ask why numbers are missing. */
function Gaps({ series }: Pick<LegalEntity, 'series'>) {
  const { t, i18n } = useTranslation('legal-entities')
  const number = new Intl.NumberFormat(i18n.language)
  const rows = series.flatMap(({ key, gaps = [] }) => gaps.map((gap) => ({ key, ...gap })))
  return (
    <>
      <Text size="sm" mt="md" mb="xs">
        {t('gaps.text')}
      </Text>
      <ScrollTable label={t('gaps.title')} minWidth={440} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column.key')}</Table.Th>
            <Table.Th>{t('gaps.documents')}</Table.Th>
            <Table.Th>{t('gaps.year')}</Table.Th>
            <Table.Th ta="right">{t('gaps.from')}</Table.Th>
            <Table.Th ta="right">{t('gaps.to')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, type, year, from, to }) => (
            <Table.Tr key={`${key} ${type} ${year} ${from}`}>
              <Table.Td>{key}</Table.Td>
              <Table.Td>
                {t(type === 'invoice' ? 'column.invoice_format' : 'column.credit_note_format')}
              </Table.Td>
              <Table.Td>{year ?? '—'}</Table.Td>
              <Table.Td ta="right">{number.format(from)}</Table.Td>
              <Table.Td ta="right">{number.format(to)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </>
  )
}
