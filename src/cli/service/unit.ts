export type UnitOptions = {
  /** The words that start parley, beginning with an absolute path. */
  executable: readonly string[];
  /** Absolute paths. */
  data: string;
  config: string | undefined;
  user: string;
};

/** Quotes a word of a command line in a unit, where `%`, `$`, quotes and backslashes have a meaning. */
const quoted = (word: string): string =>
  `"${word
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')}"`;

/** Escapes a path that stands alone in a setting. */
const escaped = (path: string): string => path.replaceAll('%', '%%').replaceAll(' ', String.raw`\x20`);

/**
 * The unit that runs parley. It may write to its data directory alone. `systemd-analyze security` says what the other settings protect;
 * `MemoryDenyWriteExecute` is missing because V8 writes the code that it runs.
 */
export const unitOf = ({ executable, data, config, user }: UnitOptions): string => `[Unit]
Description=parley, a voice-agent platform
After=network-online.target
Wants=network-online.target

[Service]
Type=notify
NotifyAccess=all
User=${user}
Group=${user}
ExecStart=${[...executable, 'serve', '--data', data, ...(config === undefined ? [] : ['--config', config])].map(quoted).join(' ')}
ExecReload=/bin/sh -c "kill -HUP \${MAINPID}"
Restart=on-failure
RestartPreventExitStatus=2 78
RestartSec=2
WatchdogSec=30
TimeoutStartSec=600
TimeoutStopSec=30
LimitNOFILE=65536
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
ReadWritePaths=${escaped(data)}
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
UMask=0077
# Files of imports are received there; /tmp may be in memory.
Environment=TMPDIR=/var/tmp

[Install]
WantedBy=multi-user.target
`;
