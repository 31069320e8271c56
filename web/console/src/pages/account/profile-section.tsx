import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Session, sessionQuery } from '#app/session.ts'
import { callSession } from '#app/session-api.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Section } from '#components/section.tsx'

export function ProfileSection({ user }: { readonly user: Session['user'] }) {
  const { t, i18n } = useTranslation('account')
  const queryClient = useQueryClient()
  const [name, setName] = useState(user.name)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => callSession('PUT', '/profile', { name: name.trim(), locale: i18n.language }),
    onSuccess: async () => {
      notifications.show({ color: 'green', message: t('profile.saved') })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  return (
    <Section title={t('profile.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Stack gap="sm">
          <TextInput label={t('profile.email')} value={user.email} readOnly />
          <TextInput
            label={t('profile.name')}
            autoComplete="name"
            required
            withAsterisk={false}
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {error !== null && <ErrorState error={error} />}
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isPending}>
              {t('profile.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
