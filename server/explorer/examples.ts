/** A document that the explorer offers. It runs on every service, whatever is stored there. */
export interface Example {
  /** The name of its operation, shown as the title of its tab. */
  readonly name: string;
  /** One line that says what it shows. */
  readonly title: string;
  /** Whether it needs a signed-in user. */
  readonly signedIn: boolean;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Asks for the current user under the alias `user`; null for anonymous users. */
export const currentUserDocument = 'query CurrentUser { user: currentUser { username } }';

/** The example documents, in the order of the explorer's list; the first one is open at first. */
export const examples: readonly Example[] = [
  {
    name: 'RecentProjects',
    title: 'The latest active projects with their merge requests',
    signedIn: false,
    document: `query RecentProjects($count: Int!) {
  projects(perPage: $count, orderBy: LAST_ACTIVITY_AT, sort: DESC) {
    total
    nodes {
      fullPath
      description
      defaultBranch
      lastActivityAt
      openIssuesCount
      mergeRequests(perPage: 3) {
        nodes { title author { username } }
      }
    }
  }
}
`,
    variables: { count: 10 },
  },
  {
    name: 'FindProjects',
    title: 'Projects whose name or path contains a text',
    signedIn: false,
    document: `query FindProjects($text: String!) {
  projects(filter: { search: $text }, orderBy: NAME, sort: ASC, perPage: 5) {
    nodes {
      name
      visibility
      httpUrlToRepo
      forkedFrom { fullPath }
    }
  }
}
`,
    variables: { text: 'app' },
  },
  {
    name: 'GroupsWithProjects',
    title: 'Groups with their subgroups and projects',
    signedIn: false,
    document: `query GroupsWithProjects {
  groups(perPage: 5) {
    nodes {
      fullPath
      subgroups(perPage: 5) { nodes { name } }
      projects(perPage: 5) { total nodes { name lastActivityAt } }
    }
  }
}
`,
    variables: {},
  },
  {
    name: 'PublicProjectsAndForks',
    title: 'Public projects with their forks',
    signedIn: false,
    document: `query PublicProjectsAndForks {
  projects(filter: { visibility: PUBLIC }, perPage: 5) {
    nodes {
      fullPath
      forksCount
      forks(perPage: 3) { nodes { fullPath createdAt } }
    }
  }
}
`,
    variables: {},
  },
  {
    name: 'TypeByName',
    title: 'The fields of a type, by introspection',
    signedIn: false,
    document: `query TypeByName($name: String!) {
  __type(name: $name) {
    description
    fields { name description type { name kind } }
  }
}
`,
    variables: { name: 'Project' },
  },
  {
    name: 'MyProfile',
    title: 'The current user',
    signedIn: true,
    document: `query MyProfile {
  currentUser {
    username
    name
    email
    webUrl
    account { canCreateProject projectsLimit lastSignInAt twoFactor { isEnabled } }
  }
}
`,
    variables: {},
  },
  {
    name: 'MyProjects',
    title: 'The projects of the current user',
    signedIn: true,
    document: `query MyProjects($page: Int!) {
  projects(filter: { isMember: true }, orderBy: LAST_ACTIVITY_AT, page: $page, perPage: 10) {
    total
    nodes { fullPath visibility lastActivityAt }
  }
}
`,
    variables: { page: 1 },
  },
  {
    name: 'MyMergeRequests',
    title: 'Open merge requests that the current user created',
    signedIn: true,
    document: `query MyMergeRequests {
  currentUser {
    authoredMergeRequests(filter: { state: OPENED }, perPage: 10) {
      total
      nodes {
        title
        sourceBranch
        targetBranch
        mergeStatus
        lastPipeline { status }
      }
    }
  }
}
`,
    variables: {},
  },
  {
    name: 'MyIssues',
    title: 'Open issues that are assigned to the current user',
    signedIn: true,
    document: `query MyIssues {
  currentUser {
    assignedIssues(filter: { state: OPENED }, perPage: 10) {
      total
      nodes { title labels { name color } dueDate project { fullPath } milestone { title } }
    }
  }
}
`,
    variables: {},
  },
  {
    name: 'MyKeysAndEvents',
    title: 'SSH keys and latest events of the current user',
    signedIn: true,
    document: `query MyKeysAndEvents {
  currentUser {
    sshKeys(perPage: 5) { nodes { title fingerprint createdAt } }
    events(perPage: 10) {
      nodes { action targetTitle createdAt author { username } }
    }
  }
}
`,
    variables: {},
  },
];
