import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@connectrpc/connect-query'
import { SyncIcon } from '@primer/octicons-react/SyncIcon'
import { TriangleDownIcon } from '@primer/octicons-react/TriangleDownIcon'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { showError } from '../../components/show-error.tsx'
import { t } from '../../language/t.ts'
import { useRight } from '../../server/rights.ts'

interface HydrateButtonsProps {
  namespace: string
  name: string
  project: string
}

/** Asks for a hydration now, for those who may. */
export function HydrateButtons({ namespace, name, project }: HydrateButtonsProps) {
  const mayHydrate = useRight('applications', 'sync', `${project}/${name}`)
  const hydrate = useMutation(ApplicationService.method.hydrateApplication, {
    onSuccess: () =>
      notifications.show({ message: t('{name} is hydrated as soon as its branch is free.', { name }) }),
    onError: (error) => showError(t('{name} is not hydrated', { name }), error),
  })
  if (!mayHydrate) return null
  const ask = (hard: boolean) => hydrate.mutate({ namespace, name, hard })
  return (
    <Group gap={2} wrap="nowrap">
      <Button leftSection={<SyncIcon />} loading={hydrate.isPending} onClick={() => ask(false)}>
        {t('Hydrate')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={36} aria-label={t('More ways to hydrate')}>
            <TriangleDownIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => ask(true)}>
            {t('Hydrate hard: render every Application of the branch again')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
