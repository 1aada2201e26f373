import { statfsSync } from 'node:fs';
import { type Finding, finding } from './finding.ts';

/**
 * File systems that several machines can mount, or whose locks depend on a server or a program, by the magic number that statfs(2) gives.
 * From the kernel's linux/magic.h, and from the sources of those that are not in it (Lustre, GFS2, OCFS2, CIFS).
 */
const sharedFileSystems: ReadonlyMap<number, string> = new Map([
  [0x69_69, 'NFS'],
  [0xff_53_4d_42, 'CIFS'],
  [0xfe_53_4d_42, 'SMB'],
  [0x51_7b, 'SMB'],
  [0x53_46_41_4f, 'AFS'],
  [0x6b_41_46_53, 'AFS'],
  [0x73_75_72_45, 'Coda'],
  [0x00_c3_64_00, 'CephFS'],
  [0x01_02_19_97, '9P'],
  [0x0b_d0_0b_d0, 'Lustre'],
  [0x01_16_19_70, 'GFS2'],
  [0x74_61_63_6f, 'OCFS2'],
  [0x65_73_55_46, 'FUSE'],
]);

/** The name of a file system whose locks cannot be trusted, by its magic number; undefined for all others. Some kernels sign-extend it. */
export const untrustedFileSystem = (magic: number): string | undefined => sharedFileSystems.get(magic >>> 0);

/** Whether locks and syncs of the file system at `path` can be trusted. Where statfs(2) gives no Linux magic number, it is taken for local. */
export function fileSystemFinding(path: string, magic = statfsSync(path).type): Finding {
  const name = untrustedFileSystem(magic);
  if (name === undefined) return finding('volume', 'ok', `the file system of ${path} is of this machine`);
  return finding(
    'volume',
    'warn',
    `${path} lies on ${name}, whose locks and syncs cannot be trusted: two servers may use the data at once, and a power cut may lose what was answered; move it to a local file system or a block device`,
  );
}
