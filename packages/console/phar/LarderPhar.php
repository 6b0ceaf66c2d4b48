<?php

declare(strict_types=1);

/**
 * An object out of larder.phar, which lies beside this file. The phar is opened once, and not before the first call.
 *
 * This file has no namespace and needs none of Larder's: any autoloader that knows a directory of classes finds it.
 *
 *     $cache = new LarderPhar(Larder\Store\ArrayStore::class);
 *     $cache = new LarderPhar('Larder\Store\SharedMemoryStore::on', 'shop');
 *     $cache = LarderPhar::configured('/etc/shop/cache.php');      // the file returns the object
 */
final class LarderPhar
{
    private ?object $made = null;

    /** @var array<array-key, mixed> */
    private readonly array $arguments;

    /**
     * @param string|Closure(): object $make      class, `Class::method`, or what makes the object
     * @param mixed                    ...$arguments of it, by place or by name
     */
    public function __construct(private readonly string|Closure $make, mixed ...$arguments)
    {
        $this->arguments = $arguments;
    }

    /** @param string $file PHP that returns the object */
    public static function configured(string $file): self
    {
        return new self(static function () use ($file): object {
            $object = is_file($file) ? require $file : null;

            return is_object($object) ? $object : throw new LogicException("$file does not return an object");
        });
    }

    /** @param array<array-key, mixed> $arguments */
    public function __call(string $name, array $arguments): mixed
    {
        return $this->object()->{$name}(...$arguments); // @phpstan-ignore method.dynamicName
    }

    public function __get(string $name): mixed
    {
        return $this->object()->{$name}; // @phpstan-ignore property.dynamicName
    }

    public function __isset(string $name): bool
    {
        return isset($this->object()->{$name}); // @phpstan-ignore property.dynamicName
    }

    /** The only call that gives something back by its arguments: `Larder\Cache::fetch()`. */
    public function fetch(string $key, mixed &$value = null): mixed
    {
        $fetch = [$this->object(), 'fetch'];

        return is_callable($fetch)
            ? $fetch($key, $value)
            : throw new BadMethodCallException($fetch[0]::class . ' has no fetch()');
    }

    /** The object itself, for what wants its type. */
    public function object(): object
    {
        return $this->made ??= $this->make();
    }

    private function make(): object
    {
        require_once __DIR__ . '/larder.phar';
        $make = $this->make;
        if (is_string($make) && class_exists($make)) {
            return new $make(...$this->arguments);
        }
        $made = is_callable($make) ? $make(...$this->arguments) : throw new LogicException(
            "There is no class or method $make in larder.phar",
        );

        return is_object($made) ? $made : throw new LogicException('LarderPhar was told to make no object');
    }
}
