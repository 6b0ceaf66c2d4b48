<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use BackedEnum;
use Closure;
use DateInterval;
use DateTimeInterface;
use Larder\Page\Limits;
use Larder\Page\Site;
use Larder\Tests\Support\PackageFiles;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use ReflectionClass;
use ReflectionMethod;
use ReflectionNamedType;
use ReflectionType;
use ReflectionUnionType;
use UnitEnum;

/**
 * A class that needs many others does several things. A description may have many values, since each has a name and
 * does nothing. So a constructor has few parameters, or only values: scalars, arrays, enums, times, and readonly
 * objects of such values. A closure is none, since it may do anything.
 */
#[CoversNothing]
final class ConstructorsTest extends TestCase
{
    private const MOST = 8;

    /** The description of a site is for people, who read all of its arguments. */
    private const OWN_LIMITS = [Site::class => 12];

    public function testFewParametersOrOnlyValues(): void
    {
        $classes = self::classes();
        self::assertGreaterThan(100, \count($classes));

        self::assertSame([], array_keys(array_filter($classes, self::needsTooMany(...))));
    }

    public function testWhatTheRuleFinds(): void
    {
        $values = new class {
            /** @param list<int> $d */
            public function __construct(
                public int $a = 0,
                public ?string $b = null,
                public bool|float $c = false,
                public array $d = [],
                public Limits $e = new Limits(),
                public ?DateTimeInterface $f = null,
                public ?BackedEnum $g = null,
                public int $h = 0,
                public int $i = 0,
            ) {}
        };
        $others = new class {
            public function __construct(
                public int $a = 0,
                public int $b = 0,
                public int $c = 0,
                public int $d = 0,
                public int $e = 0,
                public int $f = 0,
                public int $g = 0,
                public int $h = 0,
                public ?Closure $i = null,
            ) {}
        };

        self::assertFalse(self::needsTooMany(new ReflectionClass($values)));
        self::assertTrue(self::needsTooMany(new ReflectionClass($others)));
        self::assertFalse(self::isValue(new ReflectionClass(self::class)), 'It is not readonly.');
    }

    /** @param ReflectionClass<object> $class */
    private static function needsTooMany(ReflectionClass $class): bool
    {
        $constructor = $class->getConstructor();
        if ($constructor === null) {
            return false;
        }
        $own = self::OWN_LIMITS[$class->getName()] ?? null;

        return $own === null
            ? $constructor->getNumberOfParameters() > self::MOST && !self::takesValues($constructor)
            : $constructor->getNumberOfParameters() > $own;
    }

    private static function takesValues(ReflectionMethod $constructor): bool
    {
        foreach ($constructor->getParameters() as $parameter) {
            if (!self::allows($parameter->getType())) {
                return false;
            }
        }

        return true;
    }

    private static function allows(?ReflectionType $type): bool
    {
        if ($type instanceof ReflectionUnionType) {
            return !\in_array(false, array_map(self::allows(...), $type->getTypes()), true);
        }
        if (!$type instanceof ReflectionNamedType) {
            return false;
        }
        $name = $type->getName();
        if ($type->isBuiltin()) {
            return \in_array($name, ['int', 'float', 'string', 'bool', 'array', 'null', 'true', 'false'], true);
        }

        return is_a($name, UnitEnum::class, true)
            || is_a($name, DateTimeInterface::class, true)
            || $name === DateInterval::class
            || (class_exists($name) && self::isValue(new ReflectionClass($name)));
    }

    /** @param ReflectionClass<object> $class */
    private static function isValue(ReflectionClass $class): bool
    {
        $constructor = $class->getConstructor();

        return $class->isReadOnly() && $constructor !== null && self::takesValues($constructor);
    }

    /** @return array<class-string, ReflectionClass<object>> by name */
    private static function classes(): array
    {
        $classes = [];
        foreach (array_keys(PackageFiles::of()) as $name) {
            // The others are templates, and classes of a library that is not here.
            if (class_exists($name)) {
                $classes[$name] = new ReflectionClass($name);
            }
        }

        return $classes;
    }
}
