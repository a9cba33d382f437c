/** How a mutation becomes an audit event. */
export interface AuditRule {
  /** The arguments whose texts the event keeps: names, never secrets. Numbers and flags are always kept. */
  readonly keeps?: readonly string[];
  /** What the argument `id` identifies, or the result if there is no such argument. */
  readonly subject?: 'user' | 'project' | 'group';
  /** Whether it is an event without a signed-in user, too: it is limited, or needs a secret. */
  readonly isAnonymous?: boolean;
}

const none: AuditRule = {};
const named: AuditRule = { keeps: ['name'] };
const ofUser: AuditRule = { subject: 'user' };
const ofToken: AuditRule = { keeps: ['name', 'scopes'] };
const ofProject: AuditRule = {
  subject: 'project',
  keeps: ['settings.path', 'settings.name', 'settings.visibility'],
};
const ofGroup: AuditRule = { subject: 'group', keeps: ['path', 'name', 'visibility'] };
const ofPerson: AuditRule = { subject: 'user', keeps: ['user.username', 'user.email'] };
const ofApplication: AuditRule = { keeps: ['name', 'scopes', 'redirectUris'] };

/**
 * Changes of accounts, credentials, rights and settings, and deleted records of CI, by the names of their mutations. A test lists
 * all others, so that a new mutation is put on one of the two lists.
 */
export const auditedMutations: Readonly<Record<string, AuditRule>> = {
  addDeployKey: { keeps: ['title'] },
  addMember: none,
  approveAccessRequest: none,
  archiveProject: none,
  authorizeOauthApplication: none,
  blockUser: ofUser,
  changePassword: none,
  confirmTwoFactor: none,
  createEmail: { keeps: ['email'] },
  createGroup: ofGroup,
  createHook: none,
  createImpersonationToken: ofToken,
  createOauthApplication: ofApplication,
  createPersonalAccessToken: ofToken,
  createPipelineSchedule: { keeps: ['ref', 'cron'] },
  createPipelineScheduleVariable: { keeps: ['key'] },
  createProject: ofProject,
  createProtectedBranch: named,
  createProtectedTag: named,
  createSshKey: { keeps: ['title'] },
  createTrigger: none,
  createUser: ofPerson,
  createVariable: { keeps: ['key'] },
  deleteArtifacts: none,
  deleteCustomAttribute: { keeps: ['key'] },
  deleteDeadLetter: none,
  deleteEmail: none,
  deleteForkRelation: none,
  deleteGroup: none,
  deleteHook: none,
  deleteOauthApplication: none,
  deletePipeline: none,
  deletePipelineSchedule: none,
  deletePipelineScheduleVariable: { keeps: ['key'] },
  deleteProject: none,
  deleteProtectedBranch: named,
  deleteProtectedTag: named,
  deleteRunner: none,
  deleteSshKey: none,
  deleteTrigger: none,
  deleteUser: ofUser,
  deleteVariable: { keeps: ['key'] },
  denyAccessRequest: none,
  disableRunner: none,
  disableTwoFactor: none,
  disableTwoFactorForUser: none,
  enableDeployKey: none,
  enableRunner: none,
  endBrowserSession: none,
  endOtherBrowserSessions: none,
  endOwnBrowserSession: none,
  endSoapSession: none,
  eraseJob: none,
  forkProject: none,
  moveGroup: { keeps: ['parent'] },
  moveProject: { keeps: ['namespace'] },
  protectBranch: named,
  registerRunner: { isAnonymous: true },
  removeDeployKey: none,
  removeMember: none,
  resetOauthApplicationSecret: none,
  resetPrivateToken: none,
  resetRecoveryCodes: none,
  resetRunnersToken: none,
  retryDeadLetter: none,
  revokeImpersonationToken: none,
  revokeOauthAuthorization: none,
  revokeOauthToken: none,
  revokePersonalAccessToken: none,
  setCustomAttribute: { keeps: ['key'] },
  shareProject: none,
  signUp: { keeps: ['username', 'email'], isAnonymous: true },
  takePipelineScheduleOwnership: none,
  takeTriggerOwnership: none,
  transferProject: { keeps: ['group'] },
  unarchiveProject: none,
  unblockUser: ofUser,
  unprotectBranch: named,
  unregisterRunner: { isAnonymous: true },
  unshareProject: none,
  updateApplicationSettings: none,
  updateDeployKey: { keeps: ['title'] },
  updateGroup: ofGroup,
  updateHook: none,
  updateMember: none,
  updateNotificationSettings: { keeps: ['email'] },
  updateOauthApplication: ofApplication,
  updatePipelineSchedule: { keeps: ['ref', 'cron'] },
  updatePipelineScheduleVariable: { keeps: ['key'] },
  updateProfile: none,
  updateProject: ofProject,
  updateProtectedBranch: named,
  updateProtectedTag: named,
  updateRunner: none,
  updateTrigger: none,
  updateUser: ofPerson,
  updateVariable: { keeps: ['key'] },
  verifyEmail: none,
};

/** Mutations whose rejection is an event: they check a code or a key. Passwords record themselves. */
export const signInMutations: readonly string[] = ['confirmBrowserSession', 'createSoapSession'];
