import { Button, Container } from '@mantine/core'
import { IconMoodConfused } from '#components/icons.tsx'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { findUpgrade, isLoadFailure, reloadIfOutdated } from '#app/upgrade.ts'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'

export function NotFoundPage() {
  const { t } = useTranslation('components')
  return (
    <EmptyState order={1} icon={IconMoodConfused} title={t('not_found.title')} text={t('not_found.text')}>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('not_found.home')}</Button>
    </EmptyState>
  )
}

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Container size="sm" py="xl">
      {isLoadFailure(error) ? (
        <LoadFailure error={error} />
      ) : (
        <ErrorState
          error={error}
          retry={() => {
            reset()
            return router.invalidate()
          }}
        />
      )}
    </Container>
  )
}

/** Loads the page again by itself where that helps: after an upgrade. */
function LoadFailure({ error }: { readonly error: unknown }) {
  useEffect(() => {
    void findUpgrade().then(reloadIfOutdated)
  }, [])
  return <ErrorState error={error} reload={() => location.reload()} />
}
