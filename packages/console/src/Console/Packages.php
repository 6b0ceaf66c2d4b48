<?php

declare(strict_types=1);

namespace Larder\Console;

use Composer\InstalledVersions;

/**
 * Which of Larder's packages lie beside the console. It requires larder/cache alone: the commands of a package that is
 * missing are not listed, and whoever calls one is told what to install.
 *
 * @internal
 */
final readonly class Packages
{
    private const ALL = ['cache', 'code', 'console', 'pages', 'rows', 'sql'];

    /** @param array<string, string|null> $versions by name without "larder/"; null: Composer knows none */
    public function __construct(private array $versions) {}

    public static function installed(): self
    {
        $versions = [];
        foreach (self::ALL as $name) {
            if (class_exists(InstalledVersions::class) && InstalledVersions::isInstalled("larder/$name")) {
                $versions[$name] = InstalledVersions::getPrettyVersion("larder/$name");
            }
        }

        // In a copy that Composer did not install, all lie together.
        return new self($versions === [] ? array_fill_keys(self::ALL, null) : $versions);
    }

    /** Whether one of them is there. */
    public function has(string ...$names): bool
    {
        return array_intersect($names, array_keys($this->versions)) !== [];
    }

    /**
     * @param string $wanted what needs it
     *
     * @throws Refused
     */
    public function mustHave(string $name, string $wanted): void
    {
        if (!$this->has($name)) {
            throw Refused::because("$wanted needs " . self::remedy($name));
        }
    }

    public static function remedy(string $name): string
    {
        return "larder/$name, which \"composer require larder/$name\" installs";
    }

    /**
     * Packages of two versions know each other's insides no more. Composer refuses them, unless it was told not to.
     *
     * @throws Refused
     */
    public function mustBeOfOneVersion(): void
    {
        $own = $this->versions['console'] ?? null;
        foreach ($this->versions as $name => $version) {
            if ($version !== $own) {
                throw Refused::because(\sprintf(
                    'larder/%s is of version %s and larder/console of %s: install one version of all, by composer '
                        . 'update "larder/*"',
                    $name,
                    $version ?? '(unknown)',
                    $own ?? '(unknown)',
                ));
            }
        }
    }
}
