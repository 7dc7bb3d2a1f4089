/** Returns the configuration of a new Gitea: a database in a file, only git and the API, and webhooks to this machine. */
export function giteaConfiguration({
  directory,
  port,
  user,
}: {
  directory: string
  port: number
  user: string
}): string {
  return `
RUN_MODE = prod
RUN_USER = ${user}
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
WORK_PATH = ${directory}
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
STATIC_ROOT_PATH = ${directory}/static
OFFLINE_MODE = true
DISABLE_SSH = true
LFS_START_SERVER = false
[database]
DB_TYPE = sqlite3
PATH = ${directory}/gitea.db
SQLITE_JOURNAL_MODE = WAL
[security]
INSTALL_LOCK = true
SECRET_KEY = of a test
[log]
MODE = console
LEVEL = warn
[cron]
ENABLED = false
[indexer]
ISSUE_INDEXER_TYPE = db
[actions]
ENABLED = false
[packages]
ENABLED = false
[service]
DISABLE_REGISTRATION = true
[webhook]
ALLOWED_HOST_LIST = loopback
DELIVER_TIMEOUT = 60
`
}

/** The tasks whose names Gitea wants to be translated; the module that Gitea is built from is not there when it runs. */
const tasks =
  'update_mirrors repo_health_check check_repo_stats archive_cleanup sync_external_users deleted_branches_cleanup ' +
  'update_migration_poster_id cleanup_hook_task_table cleanup_packages sync_repo_licenses delete_inactive_accounts ' +
  'delete_repo_archives git_gc_repos resync_all_sshkeys resync_all_sshprincipals resync_all_hooks reinit_missing_repos ' +
  'delete_missing_repos delete_generated_repository_avatars delete_old_actions update_checker delete_old_system_notices ' +
  'gc_lfs rebuild_issue_indexer stop_zombie_tasks stop_endless_tasks cancel_abandoned_jobs start_schedule_tasks cleanup_actions'

/** The file of the only language. */
export const translations = JSON.stringify(
  Object.fromEntries(tasks.split(' ').map((task) => [`admin.dashboard.${task}`, task])),
)
