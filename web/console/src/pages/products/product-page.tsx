import { Button, Group, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Price, Product } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { TextLink } from '#components/links.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Fields, Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { PriceDialog } from '#pages/products/price-dialog.tsx'
import { priceList } from '#pages/products/price-list.tsx'
import { ProductDialog } from '#pages/products/product-dialog.tsx'

const route = getRouteApi('/shell/products/$id')

type Open = 'edit' | 'archive' | 'price' | { readonly version: Price } | undefined

export function ProductPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['products', id], ({ quittance }, signal) =>
    quittance.products.get(id, { signal }),
  )
  return <Loaded query={query}>{(product) => <ProductDetails product={product} />}</Loaded>
}

function ProductDetails({ product }: { readonly product: Product }) {
  const { t } = useTranslation('products')
  const [open, setOpen] = useState<Open>()
  const isArchived = product.state === 'archived'
  const close = () => setOpen(undefined)
  const blocked = isArchived ? t('archived') : undefined
  return (
    <>
      <PageHeader
        title={product.name}
        badges={<StateBadge state={product.state} />}
        back={<TextLink to="/products">{t('title')}</TextLink>}
        actions={
          <>
            <ActionButton scope="recurring:write" onClick={() => setOpen('edit')}>
              {t('edit.button')}
            </ActionButton>
            <ActionButton scope="recurring:write" blocked={blocked} onClick={() => setOpen('archive')}>
              {t('archive.button')}
            </ActionButton>
          </>
        }
      />
      <Columns
        main={
          <>
            <Section
              title={t('prices')}
              actions={
                <ActionButton scope="recurring:write" blocked={blocked} onClick={() => setOpen('price')}>
                  {t('prices_new')}
                </ActionButton>
              }
            >
              <RelatedList
                list={
                  isArchived
                    ? priceList
                    : withVersions((version) => setOpen({ version }), t('prices_version'))
                }
                label={t('prices')}
                empty={t('no_prices')}
                filter={`product_id = ${product.id}`}
                columns={['label', 'price', 'version', 'state', 'actions']}
              />
            </Section>
            <RawObject value={product} />
          </>
        }
        side={
          <Stack gap="lg">
            <Section title={t('details')}>
              <Fields
                fields={[
                  [t('column.id'), <CopyableId key="id" id={product.id} />],
                  product.description !== null && [t('column.description'), product.description],
                  product.unit_label !== null && [t('column.unit_label'), product.unit_label],
                  product.reference_id !== null && [
                    t('column.reference_id'),
                    <CopyableId key="ref" id={product.reference_id} />,
                  ],
                  [t('column.tax_category'), product.tax_category],
                  [t('column.created_at'), <Time key="at" at={product.created_at} />],
                ]}
              />
            </Section>
            <Metadata value={product} />
          </Stack>
        }
      />
      {open === 'edit' && <ProductDialog product={product} onClose={close} />}
      {open === 'archive' && <ArchiveDialog product={product} onClose={close} />}
      {open === 'price' && <PriceDialog productId={product.id} onClose={close} />}
      {typeof open === 'object' && (
        <PriceDialog productId={product.id} before={open.version} onClose={close} />
      )}
    </>
  )
}

function ArchiveDialog({ product, onClose }: { readonly product: Product; readonly onClose: () => void }) {
  const { t } = useTranslation('products')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('archive.title')}
      confirmLabel={t('archive.confirm')}
      doneMessage={t('archive.done')}
      effect={t('archive.effect')}
      isDanger
      run={(quittance) => quittance.products.archive(product.id)}
    />
  )
}

function withVersions(onVersion: (price: Price) => void, label: string): ListDefinition<Price> {
  return {
    ...priceList,
    columns: [
      ...priceList.columns,
      {
        id: 'actions',
        align: 'right',
        phone: 'detail',
        cell: (price) =>
          price.state === 'active' && (
            <Group justify="flex-end">
              <Button size="compact-xs" variant="default" onClick={() => onVersion(price)}>
                {label}
              </Button>
            </Group>
          ),
      },
    ],
  }
}
