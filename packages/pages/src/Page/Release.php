<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Exception\UnknownName;
use Larder\Page\Attribute\Reads;
use Larder\Page\Attribute\Ttl;
use Larder\Page\Exception\InvalidSite;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Schema\Registry;
use ReflectionClass;

/**
 * One deployed version of the code: its id, what its controllers declare, and the list of its files.
 *
 * `larder deploy` compiles it from the attributes and writes it to Site::$list. A process that runs other code stores
 * no pages. The list is data, and nobody includes it: a line of JSON, and then the files, as ListedFiles
 * has them.
 *
 * @phpstan-type Controller array{tables: list<string>, ttl: int|null, trust: bool, file: string|null}
 */
final readonly class Release
{
    /** @param array<string, Controller> $controllers by class */
    private function __construct(
        public string $id,
        private array $controllers,
        private ?Manifest $manifest,
    ) {}

    /**
     * @internal
     *
     * @param Registry $registry of a connection, with the tables that a controller may name
     *
     * @throws InvalidSite if a controller declares nothing, or a ttl that no area can have
     * @throws UnknownName if it names a table that is not there
     */
    public static function compile(Site $site, string $id, Registry $registry): self
    {
        if (preg_match('/^[A-Za-z0-9][A-Za-z0-9.-]{0,63}$/D', $id) !== 1) {
            throw InvalidSite::because(\sprintf('"%s" is not a release of up to 64 letters, digits, - and .', $id));
        }
        $manifest = Manifest::of($site, self::load($site->list)?->manifest);
        $controllers = [];
        foreach ($site->controllers as $class) {
            if (!class_exists($class)) {
                throw InvalidSite::because(\sprintf(
                    'the controller %s cannot be loaded. Does "autoload" in composer.json lead to its file? After a '
                    . 'change there run composer dump-autoload',
                    $class,
                ));
            }
            $reflection = new ReflectionClass($class);
            $reads = ($reflection->getAttributes(Reads::class)[0] ?? null)?->newInstance();
            $ttl = ($reflection->getAttributes(Ttl::class)[0] ?? null)?->newInstance();
            if ($reads === null) {
                throw InvalidSite::because(\sprintf('%s is listed but has no #[Reads]', $class));
            }
            if ($ttl !== null && !\in_array($ttl->seconds, Area::TTLS, true)) {
                throw InvalidSite::because(
                    \sprintf('%s: ttl %d is not one of %s seconds', $class, $ttl->seconds, implode(', ', Area::TTLS)),
                );
            }
            $tables = array_map(static fn(string $table): string => $registry->get($table)->name, $reads->tables);
            $file = self::fileOf($class);
            $controllers[$class] = [
                'tables' => $tables,
                'ttl' => $ttl?->seconds,
                'trust' => $reads->trust,
                'file' => $manifest?->lists($file) === true ? $file : null,
            ];
        }
        ksort($controllers);

        return new self($id, $controllers, $manifest);
    }

    /** @internal */
    public static function load(string $list): ?self
    {
        $text = is_file($list) ? (string) @file_get_contents($list) : '';
        $end = (int) strpos($text, "\n");
        $loaded = json_decode(substr($text, 0, $end), true);
        if (
            !\is_array($loaded)
            || !\is_string($loaded['release'] ?? null)
            || !\is_array($loaded['controllers'] ?? null)
        ) {
            return null;
        }
        /** @var array<string, Controller> $controllers as content() has them */
        $controllers = $loaded['controllers'];
        $at = $loaded['at'] ?? null;

        $manifest = \is_int($at) ? Manifest::from($at, substr($text, $end + 1)) : null;

        return new self($loaded['release'], $controllers, $manifest);
    }

    /** What is in the list. */
    private function content(): string
    {
        $head = [
            'release' => $this->id,
            'controllers' => (object) $this->controllers,
            'at' => $this->manifest?->at,
        ];

        return json_encode($head, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES) . "\n" . $this->manifest?->text();
    }

    /**
     * When it returns, code that is compiled from then on counts as that of the release.
     *
     * @internal
     *
     * @param (Closure(string): void)|null $write null: this process writes the list
     *
     * @throws PageStoreFailed
     */
    public function save(string $list, ?Closure $write = null): void
    {
        $write === null ? self::write($list, $this->content()) : $write($this->content());
        $this->manifest?->settle();
    }

    /**
     * Replaces the list in one step, so that no process reads half of it.
     *
     * @internal
     *
     * @throws PageStoreFailed
     */
    public static function write(string $list, string $content): void
    {
        $files = new Files();
        $files->makeDirectory(\dirname($list));
        $fresh = $list . '.' . bin2hex(random_bytes(8));
        $files->write($fresh, $content);
        $files->rename($fresh, $list);
    }

    /**
     * @internal
     *
     * @return list<string> paths of the code that it was compiled from
     */
    public function files(): array
    {
        return $this->manifest?->paths() ?? [];
    }

    /**
     * @internal
     *
     * @return string|null what differs from the files that this release was compiled from; null: nothing
     */
    public function mismatch(Site $site): ?string
    {
        $changed = $this->manifest?->changed() ?? [];

        return $this->otherControllers($site) ?? ($changed === []
            ? null
            : \sprintf('%d files of the code changed since larder deploy, such as %s', \count($changed), $changed[0]));
    }

    /**
     * @internal
     *
     * @param class-string $controller that ran
     *
     * @return string|null why what runs now may be no code of this release; asked after the render
     */
    public function objection(string $controller): ?string
    {
        // A list says nothing of code at other paths: of another release's directory, or of another host's.
        $file = $this->controllers[$controller]['file'] ?? null;
        if ($file !== null && $file !== self::fileOf($controller)) {
            return \sprintf(
                'the release was deployed with %s in %s, which is another file than the one that runs: run larder '
                . 'deploy where this code is',
                $controller,
                $file,
            );
        }

        return $this->manifest?->objection(CompiledCode::ofThisProcess());
    }

    /** @param class-string $class */
    private static function fileOf(string $class): string
    {
        return (string) realpath((string) (new ReflectionClass($class))->getFileName());
    }

    /**
     * @internal
     *
     * @return string|null which controllers are only in the list, or only in the code
     */
    public function otherControllers(Site $site): ?string
    {
        $listed = array_keys($this->controllers);
        $classes = $site->controllers;
        sort($classes);
        if ($classes !== $listed) {
            $differing = [...array_diff($classes, $listed), ...array_diff($listed, $classes)];

            return \sprintf('the list of controllers differs from the code in %s', implode(', ', $differing));
        }

        return null;
    }

    /** @internal */
    public function policyOf(string $controller): ?Policy
    {
        $found = $this->controllers[$controller] ?? null;

        return $found === null ? null : new Policy($found['tables'], $found['ttl'], $found['trust']);
    }

    /**
     * @internal
     *
     * @return array<string, Policy> by class
     */
    public function policies(): array
    {
        return array_map(
            static fn(array $controller): Policy => new Policy(
                $controller['tables'],
                $controller['ttl'],
                $controller['trust'],
            ),
            $this->controllers,
        );
    }
}
