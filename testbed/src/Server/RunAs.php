<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * The account that a server runs as: who we are; if that is root, the one its package made for it, as long as that may enter the
 * server's directory.
 *
 * The account is changed before the server starts and not by the server: a process that changes it itself also loses the wish to
 * end with its parent, and would outlive a bench that is killed.
 *
 * @internal
 */
final readonly class RunAs
{
    private function __construct(
        /** Null: as we are. */
        public ?Account $account,
    ) {}

    public static function packaged(string $user, string $directory): self
    {
        if (posix_geteuid() !== 0 || Program::find('setpriv') === null) {
            return new self(null);
        }
        try {
            $account = Account::of($user);
            $account->mustReach($directory . '/file');
            $account->own($directory);

            return new self($account);
        } catch (ServerFailed) {
            return new self(null);
        }
    }

    public function isRoot(): bool
    {
        return $this->account === null && posix_geteuid() === 0;
    }

    /**
     * @param non-empty-list<string> $command
     *
     * @return non-empty-list<string>
     */
    public function command(array $command): array
    {
        $setpriv = Program::find('setpriv');
        if ($this->account === null || $setpriv === null) {
            return $command;
        }

        return [$setpriv, '--reuid=' . $this->account->user, '--regid=' . $this->account->group, '--clear-groups', '--pdeathsig=TERM', ...$command];
    }
}
