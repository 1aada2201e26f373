export const login = {
  heading: 'Log in',
  email: 'E-mail',
  password: 'Password',
  submit: 'Log in',
  failed: 'Could not log in',
  forgotten: 'Forgotten your password? An admin makes a new link under “People and keys”.',
  first:
    'Nobody has an account yet? Open the set-up link that parley printed when it started, or print another with: parley users setup-link',
};

export const setup = {
  heading: 'Set up parley',
  join: (organization: string) => `Join ${organization}`,
  roles: {
    viewer: 'You join as a viewer: you see everything but keys and the audit log, and change nothing.',
    member: 'You join as a member: you make agents and campaigns, start and stop calls, and take care of contacts.',
    admin: 'You join as an admin: you do all that members do, and manage people, keys and the organization.',
  },
  text: 'Choose the e-mail and password with which you will log in.',
  email: 'E-mail',
  password: 'Password',
  passwordHint: '8 characters or more',
  organization: 'Organization',
  organizationHint: 'The name that invitations and reports show; leave it empty to keep the present one',
  submit: 'Set up',
  failed: 'Could not set up',
  badLink:
    'This link is not valid any more: it was used, replaced by a newer one, or is too old. For a new link run “parley users setup-link” on the server, or ask an admin of your organization to make one under “People and keys”.',
};

export const account = {
  heading: 'Account',
  email: 'E-mail',
  role: 'Role',
  organization: 'Organization',
  sessions: 'Sessions',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  browser: 'Browser',
  address: 'Address',
  since: 'Logged in',
  lastUsed: 'Last used',
  thisOne: 'This browser',
  end: 'End',
  ended: 'The session has ended.',
  password: 'Change the password',
  current: 'Current password',
  new: 'New password',
  change: 'Change password',
  changed: 'The password is changed; your other sessions have ended.',
};
