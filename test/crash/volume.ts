import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';

/** A block device with a file system of its own, as a volume that one machine after another attaches. */
export type Volume = {
  /** Ends as a cut of power does, for whoever still has files open, too: what was not on the device by then never gets there. */
  cutPower(): void;
  /** Mounts it at another place. */
  moveTo(directory: string): void;
  remove(): void;
};

/** Why this machine cannot have a volume of its own, or false: it takes root, loop devices, ext4 and perl. */
export const noVolumes: string | false = ((): string | false => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux mounts a volume';
  try {
    execFileSync('sh', ['-c', 'command -v mkfs.ext4 perl losetup && losetup --find'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'this machine has no free loop device, mkfs.ext4 or perl';
  }
})();

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH. */
const shutDown = 'open(my $d, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl($d, 0x8004587d, $how) or die $!;';

export function createVolume(image: string, directory: string, bytes: number): Volume {
  let mounted: string | undefined;
  const mount = (at: string): void => {
    mkdirSync(at, { recursive: true });
    execFileSync('mount', ['-o', 'loop', image, at]);
    mounted = at;
  };
  const unmount = (): void => {
    if (mounted !== undefined) execFileSync('umount', [mounted]);
    mounted = undefined;
  };
  execFileSync('truncate', ['--size', String(bytes), image]);
  execFileSync('mkfs.ext4', ['-q', '-E', 'root_owner=0:0', image]);
  mount(directory);
  return {
    cutPower() {
      execFileSync('perl', ['-e', shutDown, mounted!]);
    },
    moveTo(place) {
      unmount();
      mount(place);
    },
    remove() {
      unmount();
      rmSync(image, { force: true });
    },
  };
}
