import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { PlusIcon } from '@primer/octicons-react/PlusIcon'
import type { JsonObject } from '@bufbuild/protobuf'
import { useMutation, useQuery } from '@connectrpc/connect-query'
import { ProjectService } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import { roleTokens } from '@wadi/rbac/projects/role-tokens.ts'
import { useState } from 'react'
import { ChosenProject } from './chosen-project.tsx'
import { ProjectDialog } from './project-dialog.tsx'
import { type ProjectAction, ProjectMenu } from './project-menu.tsx'
import { nameOf, newProject } from './project-object.ts'
import { KeysDialog } from '../keys-dialog.tsx'
import { SettingsTable } from '../settings-table.tsx'
import { t } from '../../../language/t.ts'

const { createProjectToken, deleteProjectToken, listProjects } = ProjectService.method

/** The AppProjects with what they permit. */
export function ProjectsTab() {
  const answer = useQuery(listProjects, {})
  const [chosen, choose] = useState<RoleName>()
  const [asked, ask] = useState<AskedAction>()
  const ofAsked = answer.data?.projects.find((known) => asked && nameOf(known) === nameOf(asked.project))
  const ofChosen = answer.data?.projects.find(
    (known) => textAt(known, 'metadata', 'name') === chosen?.project,
  )
  return (
    <Stack>
      <NewProject refetch={answer.refetch} />
      <SettingsTable
        what={t('The projects')}
        answer={answer}
        rows={answer.data?.projects}
        keyOf={(project) => textAt(project, 'metadata', 'name')}
        empty={t('You may see no project.')}
        columns={{
          [t('Name')]: (project) => textAt(project, 'metadata', 'name'),
          [t('Description')]: (project) => textAt(project, 'spec', 'description'),
          [t('Repositories')]: (project) =>
            listAt(project, 'spec', 'sourceRepos')
              .filter((url) => typeof url === 'string')
              .join(', '),
          [t('Destinations')]: (project) =>
            listAt(project, 'spec', 'destinations')
              .map((place) =>
                t('{namespace} on {cluster}', {
                  namespace: textAt(place, 'namespace'),
                  cluster: textAt(place, 'server') || textAt(place, 'name'),
                }),
              )
              .join(', '),
          [t('Roles')]: (project) => rolesCell(project, choose),
          [t('Actions')]: (project) => actionsCell(project, ask),
        }}
      />
      {asked && (
        <ChosenProject
          project={asked.project}
          listed={ofAsked}
          action={asked.action}
          refetch={answer.refetch}
          close={() => ask(undefined)}
        />
      )}
      {ofChosen && chosen && (
        <RoleKeys
          project={ofChosen}
          role={chosen}
          refetch={() => answer.refetch()}
          close={() => choose(undefined)}
        />
      )}
    </Stack>
  )
}

/** The way to the form of a new project. Its name decides who may store it, so the server says that. */
function NewProject({ refetch }: { refetch: () => unknown }) {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <Group>
      <Button leftSection={<PlusIcon />} onClick={open}>
        {t('New project')}
      </Button>
      {isOpen && <ProjectDialog project={newProject} isNew refetch={refetch} close={close} />}
    </Group>
  )
}

/** A role of a project. */
interface RoleName {
  project: string
  role: string
}

/** A project as it was chosen, and what is done to it. */
interface AskedAction {
  project: JsonObject
  action: ProjectAction
}

function actionsCell(project: JsonObject, ask: (asked: AskedAction) => void) {
  return <ProjectMenu name={nameOf(project)} choose={(action) => ask({ project, action })} />
}

function rolesCell(project: JsonObject, choose: (role: RoleName) => void) {
  const name = textAt(project, 'metadata', 'name')
  const roles = listAt(project, 'spec', 'roles').map((role) => textAt(role, 'name'))
  if (roles.length === 0) return t('none')
  return (
    <Group gap="xs">
      {roles.map((role) => (
        <Button
          key={role}
          size="compact-xs"
          variant="default"
          onClick={() => choose({ project: name, role })}
          aria-label={t('{tokens} of project {name}', { tokens: tokensText(project, role), name })}
        >
          {tokensText(project, role)}
        </Button>
      ))}
    </Group>
  )
}

function tokensText(project: JsonObject, role: string): string {
  return t('{role}: {count, plural, one {# token} other {# tokens}}', {
    role,
    count: roleTokens(project, role).length,
  })
}

interface RoleKeysProps {
  project: JsonObject
  role: RoleName
  refetch: () => Promise<unknown>
  close: () => void
}

/** Members of the role's groups may manage its tokens too, which only the server knows: so making one is offered to all. */
function RoleKeys({ project, role, refetch, close }: RoleKeysProps) {
  const create = useMutation(createProjectToken, { onSettled: refetch })
  const remove = useMutation(deleteProjectToken, { onSettled: refetch })
  return (
    <KeysDialog
      owner={t('the role {role} of {project}', { ...role })}
      title={t('Tokens of {role} of {project}', { ...role })}
      keys={roleTokens(project, role.role)}
      mayCreate
      create={async (expiresIn) => (await create.mutateAsync({ ...role, expiresIn })).token}
      remove={(id) => remove.mutateAsync({ ...role, id })}
      close={close}
    />
  )
}
