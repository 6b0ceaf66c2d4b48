<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Closure;
use Larder\Page\Exception\ContextsUnavailable;
use Larder\Page\NginxConfig;
use Larder\Page\Site;
use RuntimeException;

/** @internal Whether the secrets of contexts are what nginx has, and nobody else's. */
final readonly class ContextChecks
{
    private const LIFE = 60;

    /** @param Closure(string, array<string, string>): array{int, string} $get asks nginx for a URI, with headers */
    public function __construct(
        private Site $site,
        private Closure $get,
    ) {}

    /** @return list<Check> none for a site without contexts */
    public function run(): array
    {
        $contexts = $this->site->visitors->contexts;
        if ($contexts === null) {
            return [];
        }
        $loaded = 'nginx has loaded the secrets of contexts';
        $rights = (int) @fileperms($contexts->secrets);
        $alone = Check::that(
            'only root and PHP may read the secrets of contexts',
            ($rights & 0o007) === 0,
            \sprintf(
                'everybody may read %s: chmod o= it, and run larder contexts:revoke, since others may know the secret',
                $contexts->secrets,
            ),
        );
        $dimension = (string) array_key_first($contexts->dimensions);
        $values = [$dimension => $contexts->dimensions[$dimension][0] ?? ''];
        try {
            $cookie = strtok($contexts->cookie($values, time(), self::LIFE), ';');
            [, $body] = ($this->get)(NginxConfig::STATUS, ['Cookie' => (string) $cookie]);
        } catch (ContextsUnavailable $unavailable) {
            return [Check::failed($loaded, $unavailable->getMessage())];
        } catch (RuntimeException $silent) {
            return [$alone, Check::failed($loaded, $silent->getMessage())];
        }
        $told = json_decode($body, true);
        $found = \is_array($told) ? $told['context'] ?? null : null;

        return [$alone, Check::that(
            $loaded,
            $found === $contexts->text($values),
            "{$contexts->secrets} was written since nginx was reloaded, or nginx includes another file: reload nginx. "
                . 'Until then it takes new cookies for none, and goes on accepting what was revoked',
        )];
    }
}
